import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useChange } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { Badge } from '../components/badge.tsx';
import { Confirm } from '../components/dialog.tsx';
import { TextField, useAttempt } from '../components/form.tsx';
import { Problems } from '../components/status.tsx';
import { dayOf, relativeTime, When } from '../components/when.tsx';
import { ActionButton } from './action-button.tsx';
import { scopes } from './key-create.tsx';
import type { KeyData } from './keys.tsx';

const RotateApiKey = graphql(`
  mutation ConsoleRotateApiKey($id: ID!, $graceHours: Int!) {
    rotateApiKey(id: $id, graceHours: $graceHours) {
      id
      name
      key
    }
  }
`);
const RevokeApiKey = graphql(`
  mutation ConsoleRevokeApiKey($id: ID!, $descendants: Boolean!) {
    revokeApiKey(id: $id, descendants: $descendants) {
      id
      status
    }
  }
`);

interface KeyItemProps {
  apiKey: KeyData;
  /** The key that has replaced this one. */
  successor?: KeyData | undefined;
  /** Active keys that were made with this one. */
  descendants: readonly KeyData[];
  onIssued: (key: { name: string; key: string }) => void;
}

const SOON_DAYS = 14;
const DEFAULT_GRACE_HOURS = 24;

/** A key of the list: its permissions, its expiry, its last use, and what can be done with it. */
export const KeyItem = ({ apiKey, successor, descendants, onIssued }: KeyItemProps) => (
  <li class="key">
    <div class="key-text">
      <h3 dir="auto">
        {apiKey.name} <code>{apiKey.maskedKey}</code>
        {apiKey.isOfPipeline && <span class="badge">Pipeline</span>}
      </h3>
      <p class="key-state">
        <Expiry apiKey={apiKey} successor={successor} />
        <span>
          {apiKey.lastUsedAt ? (
            <>
              Last used <When at={apiKey.lastUsedAt} />
            </>
          ) : (
            'Never used'
          )}
        </span>
      </p>
      <ul class="plain row scopes" aria-label="Permissions">
        {apiKey.scopes.map((scope) => (
          <li class="scope" key={scope} title={scopes[scope].text}>
            {scopes[scope].name}
          </li>
        ))}
      </ul>
    </div>
    {apiKey.status === 'REVOKED' && <Link href={`/keys/${apiKey.id}/changes`}>What was done with it</Link>}
    {apiKey.status === 'ACTIVE' && (
      <KeyActions apiKey={apiKey} descendants={descendants} onIssued={onIssued} />
    )}
  </li>
);

function Expiry({
  apiKey: { status, expiresAt, revokedAt, successorId, isOfPipeline },
  successor,
}: Pick<KeyItemProps, 'apiKey' | 'successor'>) {
  if (status !== 'ACTIVE')
    return (
      <span>
        <Badge value={status} /> <When at={revokedAt ?? expiresAt} />
      </span>
    );
  if (successorId)
    return (
      <span class="badge warn wraps">
        Replaced by {successor ? `“${successor.name}” (${successor.maskedKey})` : 'another key'}
        {successor?.status === 'REVOKED' && ', which is revoked'}, ends {relativeTime(expiresAt)}
      </span>
    );
  const isSoon = !isOfPipeline && Date.parse(expiresAt) - Date.now() < SOON_DAYS * 24 * 3_600_000;
  return isSoon ? (
    <span class="badge warn wraps">Expires {relativeTime(expiresAt)}: rotate it</span>
  ) : (
    <span>Expires on {dayOf(expiresAt)}</span>
  );
}

function KeyActions({ apiKey, descendants, onIssued }: KeyItemProps) {
  const [asked, setAsked] = useState<'rotate' | 'revoke' | null>(null);
  const [graceHours, setGraceHours] = useState(String(DEFAULT_GRACE_HOURS));
  const [rotate, isRotating] = useChange(RotateApiKey);
  const [revoke, isRevoking] = useChange(RevokeApiKey);
  const { attempt, problems } = useAttempt();
  const confirmRotation = async () => {
    setAsked(null);
    const data = await attempt(
      rotate({ id: apiKey.id, graceHours: Number(graceHours) }),
      'The key is replaced.',
    );
    if (data) onIssued(data.rotateApiKey);
  };
  return (
    <div class="row">
      {!apiKey.successorId && !apiKey.isOfPipeline && (
        <ActionButton
          actions={apiKey.allowedActions}
          action="rotateApiKey"
          label="Rotate"
          isBusy={isRotating}
          onRun={() => setAsked('rotate')}
        />
      )}
      <ActionButton
        actions={apiKey.allowedActions}
        action="revokeApiKey"
        label="Revoke"
        kind="danger"
        isBusy={isRevoking}
        onRun={() => setAsked('revoke')}
      />
      <Problems problems={problems} />
      {asked === 'rotate' && (
        <Confirm
          title={`Replace “${apiKey.name}”`}
          action="Create the new key"
          onClose={() => setAsked(null)}
          onConfirm={() => void confirmRotation()}
        >
          <p>You get a new key with the same name, permissions and lifetime.</p>
          <TextField
            label="Keep the old key working for (hours)"
            hint="From 0 to 168. Long enough to store the new key everywhere; 0 if the old one has leaked."
            type="number"
            value={graceHours}
            onChange={setGraceHours}
          />
        </Confirm>
      )}
      {asked === 'revoke' && (
        <RevokeQuestion
          apiKey={apiKey}
          descendants={descendants}
          onClose={() => setAsked(null)}
          onConfirm={(withDescendants) => {
            setAsked(null);
            void attempt(revoke({ id: apiKey.id, descendants: withDescendants }), 'The key is revoked.');
          }}
        />
      )}
    </div>
  );
}

interface RevokeQuestionProps extends Omit<KeyItemProps, 'onIssued' | 'successor'> {
  onClose: () => void;
  onConfirm: (withDescendants: boolean) => void;
}

function RevokeQuestion({ apiKey, descendants, onClose, onConfirm }: RevokeQuestionProps) {
  const [isWithDescendants, setIsWithDescendants] = useState(true);
  return (
    <Confirm
      title={`Revoke “${apiKey.name}”`}
      action="Revoke the key"
      isDangerous
      onClose={onClose}
      onConfirm={() => onConfirm(descendants.length > 0 && isWithDescendants)}
    >
      <p>Programs that use it stop working at once. This cannot be undone.</p>
      {descendants.length > 0 && (
        <>
          <p>These active keys were created with it:</p>
          <ul>
            {descendants.map(({ id, name, maskedKey }) => (
              <li key={id}>
                {name} <code>{maskedKey}</code>
              </li>
            ))}
          </ul>
          <label class="check">
            <input
              type="checkbox"
              checked={isWithDescendants}
              onChange={({ currentTarget }) => setIsWithDescendants(currentTarget.checked)}
            />
            <span>Revoke these keys too. Do so if the key has leaked.</span>
          </label>
        </>
      )}
    </Confirm>
  );
}
