import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useChange, useData } from '../client/data.ts';
import { onlyChanged, useFormDraft } from '../client/draft.ts';
import { Back } from '../components/back.tsx';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { Disclosure } from '../components/disclosure.tsx';
import { useAttempt } from '../components/form.tsx';
import { useTitle } from '../components/shell.tsx';
import { Loaded, Problems } from '../components/status.tsx';
import { When } from '../components/when.tsx';
import { Deliveries } from './deliveries.tsx';
import type { WebhookData, WebhookKind } from './webhook-data.ts';
import { inputOf, WebhookForm, type WebhookValues } from './webhook-form.tsx';
import { WebhookSecret } from './webhook-secret.tsx';
import { WebhookStatus } from './webhook-status.tsx';
import './webhooks.css';

interface WebhookPageProps {
  kind: WebhookKind;
  id: string;
  /** Shown if there is no such endpoint. */
  missing: ComponentChildren;
}

/** One endpoint: its state, its settings and what was sent to it. */
export function WebhookPage({ kind, id, missing }: WebhookPageProps) {
  useTitle(`Webhook · ${kind.area}`);
  const webhooks = useData(kind.documents.list, {});
  return (
    <Loaded from={webhooks}>
      {({ endpoints }) => {
        const webhook = endpoints.find((each) => each.id === id);
        if (!webhook) return missing;
        return <Endpoint key={id} kind={kind} webhook={webhook} onChanged={webhooks.reload} />;
      }}
    </Loaded>
  );
}

interface EndpointProps {
  kind: WebhookKind;
  webhook: WebhookData;
  onChanged: () => void;
}

const Endpoint = ({ kind, webhook, onChanged }: EndpointProps) => (
  <div class="stack">
    <header>
      <Back to="/webhooks">Webhooks</Back>
      <h1>{webhook.url}</h1>
      <p class="row">
        <WebhookStatus webhook={webhook} />
        <small>
          Added <When at={webhook.createdAt} />
        </small>
      </p>
    </header>
    <EndpointActions kind={kind} webhook={webhook} onChanged={onChanged} />
    <Deliveries documents={kind.documents} endpointId={webhook.id} onChanged={onChanged} />
    <Settings kind={kind} webhook={webhook} />
  </div>
);

function EndpointActions({ kind: { documents }, webhook, onChanged }: EndpointProps) {
  const { id, status, formerSecretUntil } = webhook;
  const [secret, setSecret] = useState<string | null>(null);
  const [, navigate] = useLocation();
  const [enable, isEnabling] = useChange(documents.enable);
  const [rotate, isRotating] = useChange(documents.rotateSecret);
  const [remove, isRemoving] = useChange(documents.remove);
  const { attempt, problems } = useAttempt();
  return (
    <section class="row" aria-label="Actions">
      {status === 'DISABLED' && (
        <ConfirmButton
          label="Enable"
          kind="primary"
          isBusy={isEnabling}
          onRun={() => void attempt(enable({ id }), 'The endpoint is enabled.')}
        />
      )}
      <ConfirmButton
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
          setSecret(data.endpoint.secret);
          onChanged();
        }}
      />
      <ConfirmButton
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
      {secret && <WebhookSecret title="The new secret" secret={secret} onClose={() => setSecret(null)} />}
    </section>
  );
}

function Settings({ kind, webhook }: Pick<EndpointProps, 'kind' | 'webhook'>) {
  const { id, url, description, events } = webhook;
  const { values, changed, isChanged, change, clear } = useFormDraft<WebhookValues>(`webhook:${id}`, {
    url,
    description: description ?? '',
    events: events.length === 0 ? null : events,
  });
  const [update, isUpdating] = useChange(kind.documents.update);
  const { attempt, problems } = useAttempt();
  const save = async () => {
    const input = onlyChanged(inputOf(values), changed);
    if (await attempt(update({ id, input }), 'The endpoint is saved.')) clear(values);
  };
  return (
    <Disclosure class="card" summary={<h2>URL and events{isChanged && ' (not saved)'}</h2>}>
      {() => (
        <WebhookForm
          values={values}
          onChange={change}
          eventTypes={kind.eventTypes}
          problems={problems}
          action="Save"
          cancel={
            isChanged && (
              <button type="button" onClick={() => clear()}>
                Discard the changes
              </button>
            )
          }
          isDisabled={isUpdating || !isChanged}
          onSubmit={() => void save()}
        />
      )}
    </Disclosure>
  );
}
