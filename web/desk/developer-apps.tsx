import type { ResultOf } from 'gql.tada';
import { Link } from 'wouter-preact';
import { graphql } from '../client/graphql.ts';
import { StatusBadge, wordsOf } from '../components/badge.tsx';
import { counted } from '../components/counted.ts';
import { Logo } from '../components/picture.tsx';
import { When } from '../components/when.tsx';

export const DeveloperAppFields = graphql(`
  fragment DeskDeveloperApp on App { id name logoUrl status category installCount updatedAt }
`);

interface DeveloperAppsTableProps {
  developerId: string;
  /** The number of all apps. */
  count: number;
  /** The apps that are shown. */
  apps: readonly ResultOf<typeof DeveloperAppFields>[];
}

/** The apps of a developer, each in a line. */
export const DeveloperAppsTable = ({ developerId, count, apps }: DeveloperAppsTableProps) => (
  <section class="card" aria-labelledby="apps">
    <h2 id="apps">Apps</h2>
    {count === 0 ? (
      <p class="soft tight">This developer has no apps.</p>
    ) : (
      <table class="lines">
        <caption class="hidden">Apps of the developer</caption>
        <thead>
          <tr>
            <th scope="col">App</th>
            <th scope="col">Status</th>
            <th scope="col">Category</th>
            <th scope="col" class="number">
              Installs
            </th>
            <th scope="col">Changed</th>
          </tr>
        </thead>
        <tbody>
          {apps.map((app) => (
            <AppRow key={app.id} app={app} />
          ))}
        </tbody>
      </table>
    )}
    {count > apps.length && (
      <p>
        <Link href={`/apps?developer=${developerId}`}>All {counted(count, 'app')}</Link>
      </p>
    )}
  </section>
);

const AppRow = ({ app }: { app: DeveloperAppsTableProps['apps'][number] }) => (
  <tr>
    <td>
      <span class="app-line">
        <Logo url={app.logoUrl} name={app.name} />
        <Link class="line" href={`/apps/${app.id}`} dir="auto">
          {app.name}
        </Link>
      </span>
    </td>
    <td>
      <StatusBadge status={app.status} />
    </td>
    <td data-label="Category">{wordsOf(app.category)}</td>
    <td data-label="Installs" class="number">
      {app.installCount.toLocaleString('en')}
    </td>
    <td data-label="Changed">
      <When at={app.updatedAt} />
    </td>
  </tr>
);
