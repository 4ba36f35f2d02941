import { Link, useSearchParams } from 'wouter-preact';
import { useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { wordsOf } from '../components/badge.tsx';
import { Pages } from '../components/pages.tsx';
import { useTitle } from '../components/shell.tsx';
import { Empty, Loaded } from '../components/status.tsx';
import { When } from '../components/when.tsx';
import { ActionButton } from './action-button.tsx';

const Reports = graphql(`
  query DeskAppReports($after: String) {
    reports: appReports(first: 20, after: $after) {
      totalCount
      edges { node { id reason text accountUserId createdAt app { id name } } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

const Dismiss = graphql(`
  mutation DeskDismissAppReports($id: ID!) { dismissAppReports(id: $id) { id } }
`);

/** The open reports of apps. An administrator opens the app to take it down, or dismisses its reports. */
export function AppReportsPage() {
  useTitle('Reported apps · Review desk');
  const [params] = useSearchParams();
  const reports = useData(Reports, { after: params.get('after') });
  return (
    <section class="stack">
      <h1>Reported apps</h1>
      <Loaded from={reports}>
        {({ reports: { edges, totalCount, pageInfo } }) => (
          <div class="card">
            {edges.length === 0 && <Empty>No app has open reports.</Empty>}
            <ol class="plain entries">
              {edges.map(({ node: { id, reason, text, accountUserId, createdAt, app } }) => (
                <li key={id} class="stack tight">
                  <p class="row tight">
                    {app && (
                      <Link href={`/apps/${app.id}`} dir="auto">
                        {app.name}
                      </Link>
                    )}
                    <strong>{wordsOf(reason)}</strong>
                    <small dir="auto">
                      {accountUserId}, <When at={createdAt} />
                    </small>
                  </p>
                  {text && (
                    <p class="tight pre" dir="auto">
                      {text}
                    </p>
                  )}
                  {app && (
                    <div class="row actions">
                      <ActionButton
                        label="Dismiss the reports"
                        mutation={Dismiss}
                        variables={() => ({ id: app.id })}
                        consequences="The app stays public, and all its reports are closed."
                        done="The reports are dismissed."
                        onDone={reports.reload}
                      />
                    </div>
                  )}
                </li>
              ))}
            </ol>
            <Pages shown={edges.length} total={totalCount} pageInfo={pageInfo} />
          </div>
        )}
      </Loaded>
    </section>
  );
}
