import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useCreation } from '../client/creation.ts';
import { useData } from '../client/data.ts';
import { useDraft } from '../client/draft.ts';
import { CreationPanel } from '../components/creation-panel.tsx';
import { useAttempt } from '../components/form.tsx';
import { useTitle } from '../components/shell.tsx';
import { Loaded } from '../components/status.tsx';
import type { WebhookData, WebhookKind } from './webhook-data.ts';
import { emptyWebhook, inputOf, WebhookForm } from './webhook-form.tsx';
import { WebhookSecret } from './webhook-secret.tsx';
import { WebhookStatus } from './webhook-status.tsx';
import './webhooks.css';

/** The webhook endpoints of a developer or of the administration. */
export function WebhookList({ kind }: { kind: WebhookKind }) {
  useTitle(`Webhooks · ${kind.area}`);
  const webhooks = useData(kind.documents.list, {});
  const [secret, setSecret] = useState<string | null>(null);
  const onCreated = (created: string) => {
    setSecret(created);
    webhooks.reload();
  };
  return (
    <div class="stack">
      <div class="page-head">
        <header>
          <h1>Webhooks</h1>
          <p class="soft">{kind.purpose}</p>
        </header>
        {webhooks.data && (
          <CreateForm kind={kind} isEmpty={webhooks.data.endpoints.length === 0} onCreated={onCreated} />
        )}
      </div>
      <Loaded from={webhooks}>
        {({ endpoints }) =>
          endpoints.length === 0 ? (
            kind.introduction
          ) : (
            <section class="card">
              <h2>Endpoints</h2>
              <ul class="plain rows">
                {endpoints.map((webhook) => (
                  <WebhookItem key={webhook.id} webhook={webhook} />
                ))}
              </ul>
            </section>
          )
        }
      </Loaded>
      {secret && (
        <WebhookSecret title="The secret of the endpoint" secret={secret} onClose={() => setSecret(null)} />
      )}
    </div>
  );
}

interface CreateFormProps {
  kind: WebhookKind;
  isEmpty: boolean;
  onCreated: (secret: string) => void;
}

function CreateForm({ kind: { documents, draft, eventTypes }, isEmpty, onCreated }: CreateFormProps) {
  const [values, setValues, clear] = useDraft(draft, emptyWebhook);
  const [create, isCreating] = useCreation(documents.create);
  const { attempt, problems } = useAttempt();
  const submit = async (close: () => void) => {
    const data = await attempt(create({ input: inputOf(values) }));
    if (!data) return;
    clear();
    close();
    onCreated(data.endpoint.secret);
  };
  return (
    <CreationPanel title="Add an endpoint" empty={isEmpty && 'No endpoint yet.'}>
      {(close, cancel) => (
        <WebhookForm
          values={values}
          onChange={setValues}
          eventTypes={eventTypes}
          problems={problems}
          action="Add the endpoint"
          cancel={cancel}
          isDisabled={isCreating}
          onSubmit={() => void submit(close)}
        />
      )}
    </CreationPanel>
  );
}

const WebhookItem = ({ webhook }: { webhook: WebhookData }) => (
  <li class="webhook-item">
    <div>
      <h3>
        <Link class="line" href={`/webhooks/${webhook.id}`}>
          {webhook.url}
        </Link>
      </h3>
      {webhook.description && <small dir="auto">{webhook.description}</small>}
    </div>
    <div>
      <WebhookStatus webhook={webhook} />
    </div>
    <small>
      {webhook.events.length === 0
        ? 'All events'
        : `${webhook.events.length} ${webhook.events.length === 1 ? 'kind of event' : 'kinds of events'}`}
    </small>
  </li>
);
