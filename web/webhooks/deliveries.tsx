import { useEffect, useRef } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { useChange, useData } from '../client/data.ts';
import { useRepeatedly } from '../client/repeatedly.ts';
import { Badge } from '../components/badge.tsx';
import { Disclosure } from '../components/disclosure.tsx';
import { useAttempt } from '../components/form.tsx';
import { Pages } from '../components/pages.tsx';
import { Loaded, NothingYet, Problems } from '../components/status.tsx';
import { relativeTime, When } from '../components/when.tsx';
import type { DeliveryData, WebhookDocuments } from './webhook-data.ts';

const ON_A_PAGE = 20;
/** The service reports no deliveries, so the page asks again while one is under way. */
const PENDING_MS = 1_500;
const SOON_MS = 60_000;

const isUnderWay = ({ status, nextAttemptAt }: DeliveryData) =>
  status === 'PENDING' && (!nextAttemptAt || Date.parse(nextAttemptAt) - Date.now() < SOON_MS);

interface DeliveriesProps {
  documents: WebhookDocuments;
  endpointId: string;
  /** Called when the state of a delivery has changed: that may have changed the state of the endpoint. */
  onChanged: () => void;
}

/** The deliveries to an endpoint, newest first, with a button to send a test. The page is in the address. */
export function Deliveries({ documents, endpointId, onChanged }: DeliveriesProps) {
  const [params, setParams] = useSearchParams();
  const after = params.get('after');
  const deliveries = useData(documents.deliveries, { endpointId, first: ON_A_PAGE, after });
  const [test, isTesting] = useChange(documents.test);
  const { attempt, problems } = useAttempt();
  const shown = deliveries.data?.deliveries.edges.map(({ node }) => node);
  useRepeatedly(deliveries.reload, shown?.some(isUnderWay) ? PENDING_MS : null);
  const states = shown?.map(({ id, status }) => `${id} ${status}`).join();
  const known = useRef(states);
  useEffect(() => {
    // A delivery may have ended before it was read for the first time.
    if (known.current !== undefined && known.current !== states) onChanged();
    known.current = states;
  }, [states, onChanged]);
  const sendTest = async () => {
    if (!(await attempt(test({ id: endpointId }), 'The test was sent.'))) return;
    // The test is on the first page.
    if (after) setParams({});
    else deliveries.reload();
  };
  return (
    <section class="card">
      <div class="row apart">
        <h2>Deliveries of the last 30 days</h2>
        <button type="button" disabled={isTesting} onClick={() => void sendTest()}>
          Send a test
        </button>
      </div>
      <Problems problems={problems} />
      <Loaded from={deliveries}>
        {({ deliveries: { edges, totalCount, pageInfo } }) => (
          <>
            {totalCount === 0 && (
              <NothingYet>Nothing has been sent yet. Send a test to see whether it arrives.</NothingYet>
            )}
            <ul class="plain rows">
              {edges.map(({ node }) => (
                <Delivery
                  key={node.id}
                  documents={documents}
                  delivery={node}
                  onReplayed={deliveries.reload}
                />
              ))}
            </ul>
            <Pages shown={edges.length} total={totalCount} pageInfo={pageInfo} />
          </>
        )}
      </Loaded>
    </section>
  );
}

/** Returns when the next attempt is made: "in 2 hours". */
const nextText = (at: string): string =>
  Date.parse(at) - Date.now() < 60_000 ? 'in less than a minute' : relativeTime(at);

const isPast = (at: string | null) => at === null || Date.parse(at) <= Date.now();

/** Returns the response to the last attempt if it failed and there will be another one: "HTTP 404". */
function failureOf({ status, attempts }: DeliveryData): string | null {
  const last = attempts.toSorted((one, other) => one.number - other.number).at(-1);
  if (status !== 'PENDING' || !last) return null;
  if (last.responseStatus === null) return last.error ?? 'No response';
  return last.responseStatus < 300 ? null : `HTTP ${last.responseStatus}`;
}

const tones = { DELIVERED: 'good', FAILED: 'bad', PENDING: 'info' } as const;

interface DeliveryProps {
  documents: WebhookDocuments;
  delivery: DeliveryData;
  onReplayed: () => void;
}

function Delivery({ documents, delivery, onReplayed }: DeliveryProps) {
  const [replay, isReplaying] = useChange(documents.replay);
  const { attempt, problems } = useAttempt();
  const { id, type, status, createdAt, nextAttemptAt, attemptCount, failure } = delivery;
  const failing = failureOf(delivery);
  return (
    <li class="delivery">
      <div class="row apart">
        <span class="row">
          {failing ? <Badge value="FAILING" tone="bad" /> : <Badge value={status} tone={tones[status]} />}
          <code>{type}</code>
          <small>
            {failing && `${failing.replace(/\.$/, '')} · `}
            <When at={createdAt} /> · {attemptCount} {attemptCount === 1 ? 'attempt' : 'attempts'}
            {nextAttemptAt && !isPast(nextAttemptAt) && ` · next attempt ${nextText(nextAttemptAt)}`}
          </small>
        </span>
        <button
          type="button"
          disabled={isReplaying || (status === 'PENDING' && isPast(nextAttemptAt))}
          onClick={async () => {
            if (await attempt(replay({ id }), 'Sent again.')) onReplayed();
          }}
        >
          Send again
        </button>
      </div>
      {failure && <p class="wrong-text">{failure}</p>}
      <Problems problems={problems} />
      <Disclosure summary="Request and responses">{() => <DeliveryDetails delivery={delivery} />}</Disclosure>
    </li>
  );
}

const DeliveryDetails = ({ delivery: { requestBody, attempts } }: { delivery: DeliveryData }) => (
  <>
    <h3>Body</h3>
    <pre class="wrap">{requestBody}</pre>
    {attempts.map(({ id, number, createdAt, durationMs, responseStatus, responseBody, error }) => (
      <div key={id}>
        <h3>
          Attempt {number}: {responseStatus ?? 'no response'}
        </h3>
        <p>
          <When at={createdAt} />, {durationMs} ms{error && `: ${error}`}
        </p>
        {responseBody && <pre class="wrap">{responseBody}</pre>}
      </div>
    ))}
  </>
);
