import { Link } from 'wouter-preact';
import { useChange, useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { Back } from '../components/back.tsx';
import { Badge, wordsOf } from '../components/badge.tsx';
import { Changes } from '../components/changes.tsx';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { useAttempt } from '../components/form.tsx';
import { useTitle } from '../components/shell.tsx';
import { Loaded, NothingYet, Problems } from '../components/status.tsx';
import { When } from '../components/when.tsx';
import { NotFound } from './not-found.tsx';

const KeyChangeFields = graphql(`
  fragment KeyChangeFields on KeyChanges {
    key {
      id
      name
      maskedKey
      status
      revokedAt
    }
    changes {
      id
      at
      eventKind
      appId
      endpointId
      changes {
        field
        before
        after
      }
      result
    }
    activeDescendants {
      id
      name
      maskedKey
    }
  }
`);
const KeyChangesQuery = graphql(
  `
    query ConsoleKeyChanges($keyId: ID!) {
      keyChanges(keyId: $keyId) {
        ...KeyChangeFields
      }
    }
  `,
  [KeyChangeFields],
);
const UndoKeyChanges = graphql(
  `
    mutation ConsoleUndoKeyChanges($keyId: ID!) {
      undoKeyChanges(keyId: $keyId) {
        ...KeyChangeFields
      }
    }
  `,
  [KeyChangeFields],
);

type KeyChangesData = import('gql.tada').FragmentOf<typeof KeyChangeFields>;
type KeyChange = KeyChangesData['changes'][number];

/** Shows the changes by a key in the last days, and undoes them. */
export function KeyChangesPage({ params: { id } }: { params: { id: string } }) {
  useTitle('What was done with a key · Developer console');
  const changes = useData(KeyChangesQuery, { keyId: id });
  if (changes.problems.some(({ code }) => code === 'NOT_FOUND')) return <NotFound what="key" />;
  return (
    <Loaded from={changes}>
      {({ keyChanges }) => keyChanges && <KeyHistory data={keyChanges} onUndone={changes.reload} />}
    </Loaded>
  );
}

const KeyHistory = ({ data, onUndone }: { data: KeyChangesData; onUndone: () => void }) => (
  <div class="stack">
    <header>
      <Back to="/keys">API keys</Back>
      <h1 dir="auto">What was done with “{data.key.name}”</h1>
      <p class="row">
        <code>{data.key.maskedKey}</code> <Badge value={data.key.status} />
        {data.key.revokedAt && <When at={data.key.revokedAt} />}
      </p>
      <p class="soft">In the last 7 days, with this key and with keys that were created with it.</p>
    </header>
    <Undo data={data} onUndone={onUndone} />
    {data.activeDescendants.length > 0 && <StillActive keys={data.activeDescendants} />}
    <section class="card">
      <h2>Changes</h2>
      {data.changes.length === 0 && <NothingYet>Nothing was changed with it.</NothingYet>}
      <ul class="plain rows">
        {data.changes.map((change) => (
          <ChangeItem key={change.id} change={change} />
        ))}
      </ul>
    </section>
  </div>
);

function Undo({ data: { key, changes }, onUndone }: { data: KeyChangesData; onUndone: () => void }) {
  const [undo, isUndoing] = useChange(UndoKeyChanges);
  const { attempt, problems } = useAttempt();
  const open = changes.filter(({ result }) => result === 'OPEN');
  if (key.status !== 'REVOKED')
    return <p class="note warn">This key still works. Revoke it before you undo what was done with it.</p>;
  if (open.length === 0) return null;
  return (
    <section class="card">
      <h2>Undo {open.length === 1 ? 'one change' : `${open.length} changes`}</h2>
      <p>
        Your profile gets its former values, except where you have changed it yourself since. Webhooks that
        were created or changed with the key are disabled, until you check and enable them. Keys that were
        created with it are revoked.
      </p>
      <Problems problems={problems} />
      <ConfirmButton
        label="Undo these changes"
        kind="primary"
        isBusy={isUndoing}
        onRun={async () => {
          if (await attempt(undo({ keyId: key.id }), 'The changes are undone.')) onUndone();
        }}
      />
    </section>
  );
}

const StillActive = ({ keys }: { keys: KeyChangesData['activeDescendants'] }) => (
  <section class="card">
    <h2>Keys that were created with it and still work</h2>
    <p>
      If the key has leaked, <Link href="/keys">revoke them too</Link>.
    </p>
    <ul>
      {keys.map(({ id, name, maskedKey }) => (
        <li key={id}>
          <span dir="auto">{name}</span> <code>{maskedKey}</code>
        </li>
      ))}
    </ul>
  </section>
);

const results: Record<KeyChange['result'], { text: string; tone: 'good' | 'warn' | 'info' | 'plain' }> = {
  OPEN: { text: 'Can be undone', tone: 'warn' },
  REVERTED: { text: 'Undone', tone: 'good' },
  KEPT: { text: 'You have changed it since', tone: 'plain' },
  EMAIL_TAKEN: { text: 'Undone, but another developer has the former e-mail address', tone: 'warn' },
  LISTED: { text: 'Check it yourself', tone: 'plain' },
};

const ChangeItem = ({ change }: { change: KeyChange }) => (
  <li>
    <p class="row">
      <strong>{wordsOf(change.eventKind)}</strong> <When at={change.at} />
      <span class={`badge ${results[change.result].tone}`}>{results[change.result].text}</span>
      {change.appId && <Link href={`/apps/${change.appId}`}>The app</Link>}
      {change.endpointId && <Link href={`/webhooks/${change.endpointId}`}>The webhook</Link>}
    </p>
    <Changes changes={change.changes.filter(({ before, after }) => before !== after)} />
  </li>
);
