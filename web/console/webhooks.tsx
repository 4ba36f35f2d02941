import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useChange, useData } from '../client/data.ts';
import { useDraft } from '../client/draft.ts';
import { graphql } from '../client/graphql.ts';
import { Badge } from '../components/badge.tsx';
import { useTitle } from '../components/shell.tsx';
import { Empty, Loaded } from '../components/status.tsx';
import { When } from '../components/when.tsx';
import { useAttempt } from './form.tsx';
import { Secret } from './secret.tsx';
import { type WebhookData, WebhooksQuery } from './webhook-data.ts';
import { emptyWebhook, WebhookForm } from './webhook-form.tsx';

const CreateWebhook = graphql(`
  mutation ConsoleCreateWebhook($input: CreateWebhookEndpointInput!) {
    createWebhookEndpoint(input: $input) {
      id
      secret
    }
  }
`);

export const SECRET_STORAGE =
  'We store it encrypted, because we sign every message with it, and never show it again.';
export const SECRET_ADVICE =
  'Your receiver needs it to check that messages come from the marketplace: verify the header webhook-signature (Standard Webhooks).';

/** The developer's webhook endpoints. */
export function WebhooksPage() {
  useTitle('Webhooks · Developer console');
  const webhooks = useData(WebhooksQuery, {});
  const [secret, setSecret] = useState<string | null>(null);
  const onCreated = (created: string) => {
    setSecret(created);
    webhooks.reload();
  };
  return (
    <div class="stack">
      <header>
        <h1>Webhooks</h1>
        <p class="soft">
          We send a signed POST request to your server when something happens, such as a decision on an app.
        </p>
      </header>
      <Loaded from={webhooks}>
        {({ myWebhookEndpoints }) => (
          <>
            <CreateForm isOpen={myWebhookEndpoints.length === 0} onCreated={onCreated} />
            <section class="card">
              <h2>Endpoints</h2>
              {myWebhookEndpoints.length === 0 && <Empty>No endpoint yet.</Empty>}
              <ul class="plain rows">
                {myWebhookEndpoints.map((webhook) => (
                  <WebhookItem key={webhook.id} webhook={webhook} />
                ))}
              </ul>
            </section>
          </>
        )}
      </Loaded>
      {secret && (
        <Secret
          title="The secret of the endpoint"
          secret={secret}
          storage={SECRET_STORAGE}
          advice={SECRET_ADVICE}
          onClose={() => setSecret(null)}
        />
      )}
    </div>
  );
}

function CreateForm({ isOpen, onCreated }: { isOpen: boolean; onCreated: (secret: string) => void }) {
  const [values, setValues, clear] = useDraft('new-webhook', emptyWebhook);
  const [create, isCreating] = useChange(CreateWebhook);
  const { attempt, problems } = useAttempt();
  const submit = async () => {
    const { url, description, eventKinds } = values;
    const data = await attempt(create({ input: { url, description: description || null, eventKinds } }));
    if (!data) return;
    clear();
    onCreated(data.createWebhookEndpoint.secret);
  };
  return (
    <details class="card" open={isOpen}>
      <summary>
        <h2>Add an endpoint</h2>
      </summary>
      <WebhookForm
        values={values}
        onChange={setValues}
        problems={problems}
        action="Add the endpoint"
        isBusy={isCreating}
        onSubmit={submit}
      />
    </details>
  );
}

const WebhookItem = ({ webhook }: { webhook: WebhookData }) => (
  <li class="webhook-item">
    <div>
      <h3>
        <Link href={`/webhooks/${webhook.id}`}>{webhook.url}</Link>
      </h3>
      {webhook.description && <small dir="auto">{webhook.description}</small>}
    </div>
    <div>
      <WebhookStatus webhook={webhook} />
    </div>
    <small>
      {webhook.eventKinds.length === 0
        ? 'All events'
        : `${webhook.eventKinds.length} ${webhook.eventKinds.length === 1 ? 'kind of event' : 'kinds of events'}`}
    </small>
  </li>
);

/** The state of an endpoint in a few words. */
export const WebhookStatus = ({
  webhook: { status, failingSince, disabledReason },
}: {
  webhook: WebhookData;
}) => (
  <>
    {status === 'ENABLED' && failingSince ? (
      <Badge value="FAILING" tone="bad" />
    ) : (
      <Badge value={status} tone={status === 'ENABLED' ? 'good' : 'bad'} />
    )}{' '}
    {disabledReason ? (
      <small>{disabledReason}</small>
    ) : (
      failingSince && (
        <small>
          Since <When at={failingSince} />; it is still enabled
        </small>
      )
    )}
  </>
);
