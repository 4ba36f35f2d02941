import { Link, useSearchParams } from 'wouter-preact';
import { useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { Back } from '../components/back.tsx';
import { Pages } from '../components/pages.tsx';
import { useTitle } from '../components/shell.tsx';
import { Loaded, NothingYet } from '../components/status.tsx';
import { When } from '../components/when.tsx';
import { ActionButton } from './action-button.tsx';
import { Suspend } from './app-actions.tsx';
import { permissionOf } from './review-data.ts';

const Reports = graphql(`
  query DeskAppReports($after: String) {
    reports: appReports(first: 20, after: $after) {
      totalCount
      edges { node { id reason text accountUserId createdAt app { id name allowedActions { action allowed code message } } } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

const Dismiss = graphql(`
  mutation DeskDismissAppReports($id: ID!) { dismissAppReports(id: $id) { id } }
`);

/** Why an app was reported, after "Reported as". */
const reportedAs = {
  SPAM: 'spam',
  MISLEADING: 'misleading',
  BROKEN: 'broken',
  HARMFUL: 'harmful',
  COPY: 'a copy',
  OTHER: 'something else',
} as const;

/** The open reports of apps. An administrator takes the app down, or dismisses its reports. */
export function AppReportsPage() {
  useTitle('Reported apps · Review desk');
  const [params] = useSearchParams();
  const reports = useData(Reports, { after: params.get('after') });
  return (
    <section class="stack">
      <header class="stack tight">
        <Back to="/apps">Apps</Back>
        <h1>Reported apps</h1>
      </header>
      <Loaded from={reports}>
        {({ reports: { edges, totalCount, pageInfo } }) => (
          <div class="card">
            {edges.length === 0 && <NothingYet>No app has open reports.</NothingYet>}
            <ol class="plain entries separate">
              {edges.map(({ node: { id, reason, text, accountUserId, createdAt, app } }) => (
                <li key={id} class="rating-entry">
                  <p class="row tight">
                    {app && (
                      <strong dir="auto">
                        <Link href={`/apps/${app.id}`}>{app.name}</Link>
                      </strong>
                    )}
                    <span class="badge warn">Reported as {reportedAs[reason]}</span>
                    <small dir="auto">
                      by {accountUserId}, <When at={createdAt} />
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
                        label="Take down"
                        mutation={Suspend}
                        variables={(reason) => ({ id: app.id, reason })}
                        consequences={`${app.name} leaves the marketplace at once. It can be restored.`}
                        done={`${app.name} is taken down.`}
                        reasonFor={`suspend-app:${app.id}`}
                        isDangerous
                        isSmall
                        refusal={permissionOf(app.allowedActions, 'suspendApp').message}
                        onDone={reports.reload}
                      />
                      <ActionButton
                        label="Dismiss the reports"
                        mutation={Dismiss}
                        variables={() => ({ id: app.id })}
                        consequences="The app stays public, and all its reports are closed."
                        done="The reports are dismissed."
                        isSmall
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
