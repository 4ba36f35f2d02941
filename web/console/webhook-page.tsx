import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { useChange, useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { useTitle } from '../components/shell.tsx';
import { Loaded, Problems } from '../components/status.tsx';
import { When } from '../components/when.tsx';
import { ActionButton } from './action-button.tsx';
import { Deliveries } from './deliveries.tsx';
import { useAttempt } from './form.tsx';
import { NotFound } from './not-found.tsx';
import { Secret } from './secret.tsx';
import { type WebhookData, WebhookFields, WebhooksQuery } from './webhook-data.ts';
import { WebhookForm } from './webhook-form.tsx';
import { SECRET_ADVICE, SECRET_STORAGE, WebhookStatus } from './webhooks.tsx';

const UpdateWebhook = graphql(
  `
    mutation ConsoleUpdateWebhook($id: ID!, $input: UpdateWebhookEndpointInput!) {
      updateWebhookEndpoint(id: $id, input: $input) {
        ...WebhookFields
      }
    }
  `,
  [WebhookFields],
);
const EnableWebhook = graphql(`
  mutation ConsoleEnableWebhook($id: ID!) {
    enableWebhookEndpoint(id: $id) {
      id
    }
  }
`);
const RotateWebhookSecret = graphql(`
  mutation ConsoleRotateWebhookSecret($id: ID!) {
    rotateWebhookSecret(id: $id) {
      id
      secret
    }
  }
`);
const DeleteWebhook = graphql(`
  mutation ConsoleDeleteWebhook($id: ID!) {
    deleteWebhookEndpoint(id: $id) {
      id
    }
  }
`);

/** One endpoint: its state, its settings and what was sent to it. */
export function WebhookPage({ params: { id } }: { params: { id: string } }) {
  useTitle('Webhook · Developer console');
  const webhooks = useData(WebhooksQuery, {});
  return (
    <Loaded from={webhooks}>
      {({ myWebhookEndpoints }) => {
        const webhook = myWebhookEndpoints.find((each) => each.id === id);
        if (webhook) return <Endpoint key={id} webhook={webhook} onChanged={webhooks.reload} />;
        return <NotFound what="endpoint" />;
      }}
    </Loaded>
  );
}

const Endpoint = ({ webhook, onChanged }: { webhook: WebhookData; onChanged: () => void }) => (
  <div class="stack">
    <header>
      <p>
        <Link href="/webhooks">Webhooks</Link>
      </p>
      <h1>{webhook.url}</h1>
      <p class="row">
        <WebhookStatus webhook={webhook} />
        <small>
          Added <When at={webhook.createdAt} />
        </small>
      </p>
    </header>
    <EndpointActions webhook={webhook} onChanged={onChanged} />
    <Deliveries endpointId={webhook.id} onTested={onChanged} />
    <Settings webhook={webhook} />
  </div>
);

function EndpointActions({ webhook, onChanged }: { webhook: WebhookData; onChanged: () => void }) {
  const { id, status, formerSecretUntil } = webhook;
  const [secret, setSecret] = useState<string | null>(null);
  const [, navigate] = useLocation();
  const [enable, isEnabling] = useChange(EnableWebhook);
  const [rotate, isRotating] = useChange(RotateWebhookSecret);
  const [remove, isRemoving] = useChange(DeleteWebhook);
  const { attempt, problems } = useAttempt();
  return (
    <section class="row" aria-label="Actions">
      {status === 'DISABLED' && (
        <ActionButton
          label="Enable"
          kind="primary"
          isBusy={isEnabling}
          onRun={() => void attempt(enable({ id }), 'The endpoint is enabled.')}
        />
      )}
      <ActionButton
        label="Create a new secret"
        isBusy={isRotating}
        confirm={{
          title: 'Create a new secret',
          text: (
            <p>For 24 hours messages are signed with both secrets, so that you can change your receiver.</p>
          ),
        }}
        onRun={async () => {
          const data = await attempt(rotate({ id }));
          if (!data) return;
          setSecret(data.rotateWebhookSecret.secret);
          onChanged();
        }}
      />
      <ActionButton
        label="Delete the endpoint"
        kind="danger"
        isBusy={isRemoving}
        confirm={{
          title: 'Delete the endpoint',
          text: <p>No more messages are sent, and its delivery history is deleted. This cannot be undone.</p>,
        }}
        onRun={async () => {
          if (await attempt(remove({ id }), 'The endpoint is deleted.')) navigate('/webhooks');
        }}
      />
      {formerSecretUntil && Date.parse(formerSecretUntil) > Date.now() && (
        <small>
          Messages are also signed with the former secret; that ends <When at={formerSecretUntil} />.
        </small>
      )}
      <Problems problems={problems} />
      {secret && (
        <Secret
          title="The new secret"
          secret={secret}
          storage={SECRET_STORAGE}
          advice={SECRET_ADVICE}
          onClose={() => setSecret(null)}
        />
      )}
    </section>
  );
}

function Settings({ webhook }: { webhook: WebhookData }) {
  const { id, url, description, eventKinds } = webhook;
  const [values, setValues] = useState({ url, description: description ?? '', eventKinds: [...eventKinds] });
  const [update, isUpdating] = useChange(UpdateWebhook);
  const { attempt, problems } = useAttempt();
  const save = () => {
    const input = { ...values, description: values.description || null, events: [] };
    void attempt(update({ id, input }), 'The endpoint is saved.');
  };
  return (
    <details class="card">
      <summary>
        <h2>URL and events</h2>
      </summary>
      <WebhookForm
        values={values}
        onChange={setValues}
        problems={problems}
        action="Save"
        isBusy={isUpdating}
        onSubmit={save}
      />
    </details>
  );
}
