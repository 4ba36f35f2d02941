import { Link } from 'wouter-preact';
import { useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { NotFound } from '../components/not-found.tsx';
import { AppCardFields, AppCards } from './app-card.tsx';

const Alternatives = graphql(
  `
  query MarketAlternatives($search: String!) {
    apps(filter: { search: $search }, first: 3) { edges { node { ...MarketAppCard } } }
    featuredApps(limit: 3) { ...MarketAppCard }
  }
`,
  [AppCardFields],
);

interface MissingPageProps {
  /** The thing that was expected at the address, such as "app". */
  what?: 'page' | 'app' | 'developer';
  search?: string;
}

/** Says that there is no such page, in the words of the service's own page, and shows apps that the person may have meant. */
export function MissingPage({ what = 'page', search = '' }: MissingPageProps) {
  const { data } = useData(Alternatives, { search });
  const found = search ? (data?.apps.edges.map(({ node }) => node) ?? []) : [];
  const apps = found.length > 0 ? found : (data?.featuredApps ?? []);
  return (
    <div class="stack">
      <NotFound area="Marketplace" what={what}>
        <Link href="/">Show all apps</Link>
      </NotFound>
      {apps.length > 0 && (
        <section>
          <h2>{found.length > 0 ? 'Apps with a similar name' : 'Staff picks'}</h2>
          <AppCards apps={apps} isRow />
        </section>
      )}
    </div>
  );
}
