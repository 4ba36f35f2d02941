import { useState } from 'preact/hooks';
import { useChange } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { StatusBadge } from '../components/badge.tsx';
import { useAttempt } from '../components/form.tsx';
import { useTitle } from '../components/shell.tsx';
import { Problems } from '../components/status.tsx';
import { ActionButton } from './action-button.tsx';
import type { AppData, VersionData } from './app-data.ts';
import { AppHistory } from './history.tsx';
import { labelOf, listingOf, screenshotLines, VersionListingFields } from './listing.ts';
import { ListingChanges } from './listing-changes.tsx';
import type { ListingEditing, SaveListing } from './listing-editing.ts';
import { ListingContents } from './listing-preview.tsx';
import { ListingWorkplace } from './listing-workplace.tsx';
import { MessageThread } from './message-thread.tsx';
import type { Readiness } from './readiness.ts';
import { Rejection, type Tick } from './rejection.tsx';
import { Removal } from './removal.tsx';
import { Submission } from './submission.tsx';

const CreateVersion = graphql(`
  mutation ConsoleCreateVersion($appId: ID!) {
    createAppVersion(appId: $appId, input: {}) {
      id
    }
  }
`);
const UpdateVersion = graphql(
  `
    mutation ConsoleUpdateVersion($id: ID!, $input: UpdateAppVersionInput!, $revision: Int!) {
      updateAppVersion(id: $id, input: $input, revision: $revision) {
        ...VersionListingFields
      }
    }
  `,
  [VersionListingFields],
);
const SubmitVersion = graphql(`
  mutation ConsoleSubmitVersion($id: ID!) {
    submitAppVersion(id: $id) {
      id
    }
  }
`);
const WithdrawVersion = graphql(`
  mutation ConsoleWithdrawVersion($id: ID!) {
    withdrawAppVersion(id: $id) {
      id
    }
  }
`);
const DiscardVersion = graphql(`
  mutation ConsoleDiscardVersion($id: ID!) {
    discardAppVersion(id: $id) {
      id
    }
  }
`);
const RebaseVersion = graphql(`
  mutation ConsoleRebaseVersion($id: ID!) {
    rebaseAppVersion(id: $id) {
      id
    }
  }
`);

interface VersionPageProps {
  app: AppData;
  events: number;
}

/** The new version of a public app. The live listing stays as it is until the version is approved. */
export function VersionPage({ app, events }: VersionPageProps) {
  useTitle(`New version of ${app.name} · Developer console`);
  const { openVersion } = app;
  return openVersion ? (
    <OpenVersion key={openVersion.id} app={app} version={openVersion} events={events} />
  ) : (
    <StartVersion app={app} />
  );
}

function StartVersion({ app }: { app: AppData }) {
  const [create, isCreating] = useChange(CreateVersion);
  const { attempt, problems } = useAttempt();
  return (
    <div class="stack">
      <section class="card start-version">
        <h2>Change what people see</h2>
        <p>
          A new version begins as a copy of the live listing, which stays public until a reviewer has approved
          the new one. Ratings, installs and the address of the page stay.
        </p>
        <ActionButton
          actions={app.allowedActions}
          action="createAppVersion"
          label="Start a new version"
          kind="primary"
          isBusy={isCreating}
          onRun={() =>
            void attempt(create({ appId: app.id }), 'The new version is a copy of the live listing.')
          }
        />
        <Problems problems={problems} />
      </section>
      <ListingContents listing={listingOf(app)} />
    </div>
  );
}

function OpenVersion({ app, version, events }: VersionPageProps & { version: VersionData }) {
  const [update] = useChange(UpdateVersion);
  const [submit, isSubmitting] = useChange(SubmitVersion);
  const edit = version.allowedActions.find(({ action }) => action === 'updateAppVersion');
  const save: SaveListing = async (input, revision) => {
    const { data, problems } = await update({ id: version.id, input, revision });
    return { data: data?.updateAppVersion, problems };
  };
  const [ticked, setTicked] = useState<Tick>(null);
  const ticks = { ticked, onTick: setTicked, canEdit: edit?.allowed ?? false };
  return (
    <ListingWorkplace
      data={version}
      edit={edit}
      reason={edit?.message ?? null}
      save={save}
      submit={{
        operation: 'submitAppVersion',
        isBusy: ticked !== null || isSubmitting,
        run: () => submit({ id: version.id }),
      }}
      steps={(readiness) => (
        <>
          <Rebase app={app} version={version} />
          {version.rejection && version.status === 'REJECTED' && (
            <Rejection app={app} rejection={version.rejection} {...ticks} />
          )}
          <VersionSubmission version={version} readiness={readiness} />
          {version.rejection && version.status !== 'REJECTED' && (
            <Rejection app={app} rejection={version.rejection} {...ticks} isPast />
          )}
          <Difference version={version} />
        </>
      )}
      further={(editing) => (
        <>
          <MessageThread app={app} events={events} />
          <AppHistory id={app.id} events={events} />
          <Discard version={version} editing={editing} />
        </>
      )}
    />
  );
}

const Difference = ({ version }: { version: VersionData }) => (
  <section class="card">
    <h2 class="row">
      Changes from the live listing <StatusBadge status={version.status} />
    </h2>
    {version.changes.length === 0 ? (
      <p class="soft">None yet. Saved changes appear here.</p>
    ) : (
      <ListingChanges changes={version.changes} />
    )}
  </section>
);

function VersionSubmission({ version, readiness }: { version: VersionData; readiness: Readiness }) {
  const [withdraw, isWithdrawing] = useChange(WithdrawVersion);
  const run = () => withdraw({ id: version.id });
  return (
    <Submission
      subject={version}
      readiness={readiness}
      withdraw={{ operation: 'withdrawAppVersion', isBusy: isWithdrawing, run }}
    />
  );
}

function Discard({ version, editing }: { version: VersionData; editing: ListingEditing }) {
  const [discard, isDiscarding] = useChange(DiscardVersion);
  return (
    <Removal
      actions={version.allowedActions}
      operation="discardAppVersion"
      label="Discard the version"
      question="Discard the version"
      text="Its changes are lost. The live listing stays as it is. This cannot be undone."
      isBusy={isDiscarding}
      done="The version is discarded."
      run={() => discard({ id: version.id })}
      onRemoved={editing.draft.discard}
    />
  );
}

/** An administrator has edited the live listing since the version was begun. */
function Rebase({ app, version }: { app: AppData; version: VersionData }) {
  const [rebase, isRebasing] = useChange(RebaseVersion);
  const { attempt, problems } = useAttempt();
  const isBehind = version.baseRevision !== null && app.revision > version.baseRevision;
  if (version.conflicts.length === 0 && !isBehind) return null;
  return (
    <section class="note warn stack">
      <h2>An administrator has edited the live listing</h2>
      {isBehind && <p>Your version cannot be approved until it contains these edits.</p>}
      {version.conflicts.length > 0 && (
        <>
          <p>Your version would overwrite this. Edit the fields to keep what you want.</p>
          <dl class="changes">
            {version.conflicts.map(({ field, live, proposed }) => (
              <div key={field}>
                <dt>{labelOf(field)}</dt>
                <dd dir="auto">Live now: {field === 'screenshots' ? screenshotLines(live) : live}</dd>
                <dd dir="auto">Yours: {field === 'screenshots' ? screenshotLines(proposed) : proposed}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      {isBehind && (
        <ActionButton
          actions={version.allowedActions}
          action="rebaseAppVersion"
          label="Include these edits"
          kind="primary"
          isBusy={isRebasing}
          onRun={() => void attempt(rebase({ id: version.id }), 'The version contains the edits now.')}
        />
      )}
      <Problems problems={problems} />
    </section>
  );
}
