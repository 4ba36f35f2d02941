import { useState } from 'preact/hooks';
import { useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { Disclosure } from '../components/disclosure.tsx';
import { Secret } from '../components/secret.tsx';
import { useTitle } from '../components/shell.tsx';
import { Loaded } from '../components/status.tsx';
import { AllowedActionFields } from './action-button.tsx';
import { useDeveloper } from './developer.tsx';
import { CreateKey } from './key-create.tsx';
import { KeyItem } from './key-item.tsx';
import { PublishLines, terminalLines } from './publish-lines.tsx';
import { Verification } from './verification.tsx';

const Keys = graphql(
  `
    query ConsoleKeys {
      myApiKeys {
        id
        name
        maskedKey
        scopes
        status
        createdAt
        createdByKeyId
        successorId
        isOfPipeline
        expiresAt
        lastUsedAt
        revokedAt
        allowedActions {
          ...AllowedActionFields
        }
      }
    }
  `,
  [AllowedActionFields],
);

export type KeyData = import('gql.tada').ResultOf<typeof Keys>['myApiKeys'][number];

/** Returns the active keys that were created with a key, directly or through other keys. */
function descendantsOf(key: KeyData, keys: readonly KeyData[]): KeyData[] {
  const children = keys.filter(({ createdByKeyId }) => createdByKeyId === key.id);
  return children.flatMap((child) => [
    ...(child.status === 'ACTIVE' ? [child] : []),
    ...descendantsOf(child, keys),
  ]);
}

/** The developer's API keys. */
export function KeysPage() {
  useTitle('API keys · Developer console');
  const keys = useData(Keys, {});
  const [issued, setIssued] = useState<{ name: string; key: string } | null>(null);
  const isVerified = useDeveloper().status === 'VERIFIED';
  const onIssued = (key: { name: string; key: string }) => {
    setIssued(key);
    keys.reload();
  };
  return (
    <div class="stack">
      <div class="page-head">
        <header>
          <h1>API keys</h1>
          <p class="soft">
            A key lets your own programs call the API in your name, for instance to update a listing from a
            pipeline.
          </p>
        </header>
        {keys.data && isVerified && (
          <CreateKey
            isFirst={keys.data.myApiKeys.every(({ status }) => status !== 'ACTIVE')}
            onIssued={onIssued}
          />
        )}
      </div>
      <Verification />
      <Loaded from={keys}>{({ myApiKeys }) => <KeyList keys={myApiKeys} onIssued={onIssued} />}</Loaded>
      {issued && (
        <Secret
          title={`The key “${issued.name}”`}
          secret={issued.key}
          storage="We store only a hash of it, so nobody can show it to you again."
          advice="Put it where your program reads its secrets, never into source code or a web page."
          onClose={() => setIssued(null)}
        >
          <PublishLines title="Publish with it from a terminal" text={terminalLines(issued.key, null)} />
        </Secret>
      )}
    </div>
  );
}

interface KeyListProps {
  keys: readonly KeyData[];
  onIssued: (key: { name: string; key: string }) => void;
}

function KeyList({ keys, onIssued }: KeyListProps) {
  const active = keys.filter(({ status }) => status === 'ACTIVE');
  const ended = keys.filter(({ status }) => status !== 'ACTIVE');
  const listOf = (some: readonly KeyData[]) => (
    <ul class="plain rows">
      {some.map((key) => (
        <KeyItem
          key={key.id}
          apiKey={key}
          successor={keys.find(({ id }) => id === key.successorId)}
          descendants={descendantsOf(key, keys)}
          onIssued={onIssued}
        />
      ))}
    </ul>
  );
  return (
    <>
      <section class="card">
        <h2>Active keys</h2>
        {active.length === 0 && <p class="soft">No active keys.</p>}
        {listOf(active)}
      </section>
      {ended.length > 0 && (
        <Disclosure class="card" summary={<h2>Expired and revoked keys ({ended.length})</h2>}>
          {() => listOf(ended)}
        </Disclosure>
      )}
    </>
  );
}
