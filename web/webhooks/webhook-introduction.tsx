import { groupsOf } from './event-words.ts';

/** A message as an endpoint receives it. */
const sample = (type: string) => `POST /hooks HTTP/1.1
webhook-id: msg_019a81f27c1e
webhook-timestamp: 1794707201
webhook-signature: v1,4AGkOgeG+90wV+5W+ldBi…

{
  "type": "${type}",
  "timestamp": "2026-11-15T01:46:40.000Z",
  "data": {
    "developer": { "id": "019a81f2…", "name": "Ada", … },
    "app": { "id": "019a81f2…", "slug": "ada-counts", … }
  }
}`;

interface WebhookIntroductionProps {
  types: readonly string[];
  /** The type of the message that is shown. */
  example: string;
}

/** Explains messages and events to whoever has no endpoint yet. */
export const WebhookIntroduction = ({ types, example }: WebhookIntroductionProps) => (
  <div class="stack">
    <section class="card">
      <h2>What your server receives</h2>
      <div class="halves">
        <pre class="secret">
          <code>{sample(example)}</code>
        </pre>
        <p>
          Verify the signature with the secret of the endpoint: the{' '}
          <a href="https://www.standardwebhooks.com" rel="noopener noreferrer" target="_blank">
            Standard Webhooks
          </a>{' '}
          libraries do it in most languages. Respond with 200 first, then process the event. Failed deliveries
          are retried for a day, and you can test an endpoint as soon as it is added.
        </p>
      </div>
    </section>
    <section class="card">
      <h2>Events</h2>
      <dl class="event-list">
        {groupsOf(types).map(({ subject, events }) => (
          <div key={subject}>
            <dt>{subject}</dt>
            <dd>
              <ul class="plain">
                {events.map(({ type, text }) => (
                  <li key={type} class="row apart">
                    {text} <code class="soft">{type}</code>
                  </li>
                ))}
              </ul>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  </div>
);
