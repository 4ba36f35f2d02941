import type { ResultOf } from 'gql.tada';
import { Link } from 'wouter-preact';
import { graphql } from '../client/graphql.ts';
import { wordsOf } from '../components/badge.tsx';
import { brief } from '../components/counted.ts';
import { Icon } from '../components/icon.tsx';
import { Logo } from '../components/picture.tsx';
import { RatingFigure } from '../components/stars.tsx';

/** The fields of an app that a card shows. */
export const AppCardFields = graphql(`
  fragment MarketAppCard on PublicApp {
    id
    slug
    name
    description
    category
    environment
    logoUrl
    installCount
    averageRating
    reviewCount
    developer { id name companyName }
  }
`);

type CardApp = ResultOf<typeof AppCardFields>;

/** An app in a list. The whole card leads to its page. */
const AppCard = ({ app, isByOne = false, isInCategory = false }: { app: CardApp } & CardOptions) => (
  <li class="card app-card">
    <div class="app-card-head">
      <Logo url={app.logoUrl} name={app.name} />
      <div>
        <h3>
          <Link href={`/apps/${app.slug}`} dir="auto">
            {app.name}
          </Link>
        </h3>
        {!isByOne && (
          <small class="one-line">
            <bdi>{app.developer.companyName ?? app.developer.name}</bdi>
          </small>
        )}
      </div>
    </div>
    <p class="app-card-text" dir="auto">
      {app.description}
    </p>
    <AppFigures app={app} isInCategory={isInCategory} />
  </li>
);

/** The average rating of an app, or that there is none. */
export const Rated = ({ averageRating, reviewCount }: Pick<CardApp, 'averageRating' | 'reviewCount'>) =>
  reviewCount > 0 ? (
    <RatingFigure average={averageRating} count={reviewCount} />
  ) : (
    <small>Not rated yet</small>
  );

/** The number of installs, where there is little room. */
export const installsOf = ({ installCount }: Pick<CardApp, 'installCount'>): string =>
  `${brief(installCount)} ${installCount === 1 ? 'install' : 'installs'}`;

const AppFigures = ({ app, isInCategory }: { app: CardApp; isInCategory: boolean }) => {
  const kinds = [
    !isInCategory && wordsOf(app.category),
    app.environment !== 'production' && wordsOf(app.environment),
  ].filter((kind) => kind !== false);
  return (
    <p class="row apart app-card-figures">
      <span>
        <Rated {...app} />
      </span>
      <small>{installsOf(app)}</small>
      {kinds.length > 0 && (
        <small class="app-card-category">
          <Icon name={app.category} /> {kinds.join(' · ')}
        </small>
      )}
    </p>
  );
};

interface CardOptions {
  /** True if all apps are of one developer, whom the page names. */
  isByOne?: boolean;
  /** True if all apps are in one category, which the page names. */
  isInCategory?: boolean;
}

interface AppCardsProps extends CardOptions {
  apps: readonly CardApp[];
  /** True for at most three apps, which are a third of the row each. */
  isRow?: boolean;
}

/** Apps side by side. */
export const AppCards = ({ apps, isRow = false, ...options }: AppCardsProps) => (
  <ul class={`plain app-cards ${isRow ? 'row-of-three' : ''}`}>
    {apps.map((app) => (
      <AppCard key={app.id} app={app} {...options} />
    ))}
  </ul>
);
