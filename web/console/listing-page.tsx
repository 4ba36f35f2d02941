import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { useChange } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { useTitle } from '../components/shell.tsx';
import { dayOf } from '../components/when.tsx';
import type { AppData } from './app-data.ts';
import { AppHistory } from './history.tsx';
import { AppListingFields } from './listing.ts';
import type { SaveListing } from './listing-editing.ts';
import { ListingWorkplace } from './listing-workplace.tsx';
import { MessageThread } from './message-thread.tsx';
import type { Readiness } from './readiness.ts';
import { Rejection, type Tick } from './rejection.tsx';
import { Removal } from './removal.tsx';
import { Submission } from './submission.tsx';

const UpdateApp = graphql(
  `
    mutation ConsoleUpdateApp($id: ID!, $input: UpdateAppInput!, $revision: Int!) {
      updateApp(id: $id, input: $input, revision: $revision) {
        ...AppListingFields
      }
    }
  `,
  [AppListingFields],
);
const SubmitApp = graphql(`
  mutation ConsoleSubmitApp($id: ID!) {
    submitApp(id: $id) {
      id
    }
  }
`);
const WithdrawApp = graphql(`
  mutation ConsoleWithdrawApp($id: ID!) {
    withdrawApp(id: $id) {
      id
    }
  }
`);
const DeleteApp = graphql(`
  mutation ConsoleDeleteApp($id: ID!, $revision: Int!) {
    deleteApp(id: $id, revision: $revision) {
      id
    }
  }
`);

/** The listing of an app with its editor, its review, the messages and the history. */
export function ListingPage({ app, events }: { app: AppData; events: number }) {
  useTitle(`${app.name} · Developer console`);
  const [update] = useChange(UpdateApp);
  const [submit, isSubmitting] = useChange(SubmitApp);
  const edit = app.allowedActions.find(({ action }) => action === 'updateApp');
  const save: SaveListing = async (input, revision) => {
    const { data, problems } = await update({ id: app.id, input, revision });
    return { data: data?.updateApp, problems };
  };
  const [ticked, setTicked] = useState<Tick>(null);
  const ticks = { ticked, onTick: setTicked, canEdit: edit?.allowed ?? false };
  const wasPublished = app.status === 'APPROVED' || app.status === 'SUSPENDED';
  return (
    <ListingWorkplace
      data={app}
      edit={edit}
      reason={app.status === 'APPROVED' ? null : (edit?.message ?? null)}
      save={save}
      submit={{
        operation: 'submitApp',
        isBusy: ticked !== null || isSubmitting,
        run: () => submit({ id: app.id }),
      }}
      steps={(readiness) => (
        <>
          {app.rejection && app.status === 'REJECTED' && (
            <Rejection app={app} rejection={app.rejection} {...ticks} />
          )}
          {wasPublished ? <Published app={app} /> : <AppSubmission app={app} readiness={readiness} />}
          {app.rejection && app.status !== 'REJECTED' && (
            <Rejection app={app} rejection={app.rejection} {...ticks} isPast />
          )}
        </>
      )}
      further={() => (
        <>
          <MessageThread app={app} events={events} />
          <AppHistory id={app.id} events={events} />
          {!wasPublished && <Delete app={app} />}
        </>
      )}
    />
  );
}

const Published = ({ app }: { app: AppData }) => (
  <section class="card">
    <h2>{app.status === 'APPROVED' ? 'Public' : 'Taken down'}</h2>
    {app.approvedAt && <p>Approved on {dayOf(app.approvedAt)}.</p>}
    {app.status === 'APPROVED' ? (
      <>
        <p>A public listing is changed by a new version, which is reviewed before it replaces this one.</p>
        <Link class="button primary" href={`/apps/${app.id}/version`}>
          {app.openVersion ? 'Continue the new version' : 'Start a new version'}
        </Link>
      </>
    ) : (
      <p>The history below has the reason. Write to the reviewers if you have questions.</p>
    )}
  </section>
);

function AppSubmission({ app, readiness }: { app: AppData; readiness: Readiness }) {
  const [withdraw, isWithdrawing] = useChange(WithdrawApp);
  const run = () => withdraw({ id: app.id });
  return (
    <Submission
      subject={app}
      readiness={readiness}
      withdraw={{ operation: 'withdrawApp', isBusy: isWithdrawing, run }}
    />
  );
}

function Delete({ app: { id, name, revision, allowedActions } }: { app: AppData }) {
  const [remove, isRemoving] = useChange(DeleteApp);
  const [, navigate] = useLocation();
  return (
    <Removal
      actions={allowedActions}
      operation="deleteApp"
      label="Delete the app"
      question={`Delete “${name}”`}
      text="The listing, its messages and its history are deleted. This cannot be undone."
      isBusy={isRemoving}
      done="The app is deleted."
      run={() => remove({ id, revision })}
      onRemoved={() => navigate('/')}
    />
  );
}
