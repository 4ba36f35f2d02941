import { Link } from 'wouter-preact';
import { wordsOf } from '../components/badge.tsx';
import { Banner } from '../components/banner.tsx';
import { counted } from '../components/counted.ts';
import { Logo, Picture } from '../components/picture.tsx';
import { type FindingData, type ReviewItem, subjectOf } from './review-data.ts';

type OtherApp = NonNullable<FindingData['about']>;

interface SideBySideProps {
  item: ReviewItem;
  other: OtherApp;
  withBanner: boolean;
}

/** The submission beside the app that it could be taken for. */
export function SideBySide({ item, other, withBanner }: SideBySideProps) {
  const subject = subjectOf(item);
  return (
    <div class="side-by-side">
      <AppToCompare
        heading="This submission"
        app={{ ...subject, id: item.app.id }}
        developer={item.developer}
        facts={wordsOf(subject.category)}
        withBanner={withBanner}
      />
      <AppToCompare
        heading="Public app"
        app={other}
        developer={other.developer}
        facts={`${wordsOf(other.category)} · ${counted(other.installCount, 'install')}`}
        withBanner={withBanner}
      />
    </div>
  );
}

interface AppToCompareProps {
  heading: string;
  app: {
    id: string;
    name: string;
    description: string;
    logoUrl: string | null;
    bannerUrl: string | null;
    screenshots: readonly { url: string }[];
  };
  developer: { id: string; name: string; companyName: string | null };
  facts: string;
  withBanner: boolean;
}

const AppToCompare = ({ heading, app, developer, facts, withBanner }: AppToCompareProps) => (
  <section class="stack tight">
    <h3 class="tight">{heading}</h3>
    <div class="listing-head">
      <Logo url={app.logoUrl} name={app.name} />
      <div>
        <Link href={`/apps/${app.id}`} dir="auto">
          {app.name}
        </Link>
        <p class="tight" dir="auto">
          by{' '}
          <Link href={`/developers/${developer.id}`} dir="auto">
            {developer.companyName ?? developer.name}
          </Link>
        </p>
        <small>{facts}</small>
      </div>
    </div>
    {withBanner && <Banner url={app.bannerUrl} isEager />}
    <p class="tight" dir="auto">
      {app.description}
    </p>
    {app.screenshots.slice(0, 2).map(({ url }) => (
      <Picture key={url} url={url} alt="" />
    ))}
  </section>
);
