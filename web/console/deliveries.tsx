import type { ResultOf } from 'gql.tada';
import { useState } from 'preact/hooks';
import { useChange, useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { Badge } from '../components/badge.tsx';
import { Disclosure } from '../components/disclosure.tsx';
import { MoreButton } from '../components/more-button.tsx';
import { Empty, Loaded, Problems } from '../components/status.tsx';
import { When } from '../components/when.tsx';
import { useRepeatedly } from './developer.tsx';
import { useAttempt } from './form.tsx';

const DeliveriesQuery = graphql(`
  query ConsoleDeliveries($endpointId: ID!, $first: Int!) {
    webhookDeliveries(endpointId: $endpointId, first: $first) {
      totalCount
      edges {
        node {
          id
          type
          status
          createdAt
          deliveredAt
          nextAttemptAt
          attemptCount
          failure
          requestBody
          attempts {
            id
            number
            createdAt
            durationMs
            responseStatus
            responseBody
            error
          }
        }
      }
    }
  }
`);
const TestWebhook = graphql(`
  mutation ConsoleTestWebhook($id: ID!) {
    testWebhookEndpoint(id: $id) {
      id
    }
  }
`);
const ReplayDelivery = graphql(`
  mutation ConsoleReplayDelivery($id: ID!) {
    replayWebhookDelivery(id: $id) {
      id
    }
  }
`);
type DeliveryData = ResultOf<typeof DeliveriesQuery>['webhookDeliveries']['edges'][number]['node'];

const FIRST_SHOWN = 10;
const MOST_SHOWN = 100;
/** The service reports no deliveries, so the page asks again while one is under way. */
const PENDING_MS = 1_500;
const SOON_MS = 60_000;

const isUnderWay = ({ status, nextAttemptAt }: DeliveryData) =>
  status === 'PENDING' && (!nextAttemptAt || Date.parse(nextAttemptAt) - Date.now() < SOON_MS);

/** The deliveries to an endpoint, newest first, with a button to send a test. */
export function Deliveries({ endpointId, onTested }: { endpointId: string; onTested: () => void }) {
  const [first, setFirst] = useState(FIRST_SHOWN);
  const deliveries = useData(DeliveriesQuery, { endpointId, first });
  const [test, isTesting] = useChange(TestWebhook);
  const { attempt, problems } = useAttempt();
  const edges = deliveries.data?.webhookDeliveries.edges ?? [];
  useRepeatedly(deliveries.reload, edges.some(({ node }) => isUnderWay(node)) ? PENDING_MS : null);
  const sendTest = async () => {
    if (!(await attempt(test({ id: endpointId }), 'The test is sent.'))) return;
    deliveries.reload();
    onTested();
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
        {({ webhookDeliveries: { totalCount } }) => (
          <>
            {totalCount === 0 && (
              <Empty>Nothing has been sent yet. Send a test to see whether it arrives.</Empty>
            )}
            <ul class="plain rows">
              {edges.map(({ node }) => (
                <Delivery key={node.id} delivery={node} onReplayed={deliveries.reload} />
              ))}
            </ul>
            {first < MOST_SHOWN && (
              <MoreButton
                shown={edges.length}
                total={totalCount}
                isLoading={deliveries.isLoading}
                onMore={() => setFirst(MOST_SHOWN)}
              />
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

const isPast = (at: string | null) => at === null || Date.parse(at) <= Date.now();

/** Returns the response to the last attempt if it failed and there will be another one: "HTTP 404". */
function failureOf({ status, attempts }: DeliveryData): string | null {
  const last = attempts.toSorted((one, other) => one.number - other.number).at(-1);
  if (status !== 'PENDING' || !last) return null;
  if (last.responseStatus === null) return last.error ?? 'No response';
  return last.responseStatus < 300 ? null : `HTTP ${last.responseStatus}`;
}

const tones = { DELIVERED: 'good', FAILED: 'bad', PENDING: 'info' } as const;

function Delivery({ delivery, onReplayed }: { delivery: DeliveryData; onReplayed: () => void }) {
  const [replay, isReplaying] = useChange(ReplayDelivery);
  const { attempt, problems } = useAttempt();
  const { id, type, status, createdAt, nextAttemptAt, attemptCount, failure } = delivery;
  const failing = failureOf(delivery);
  return (
    <li>
      <div class="row apart">
        <span class="row">
          {failing ? <Badge value="FAILING" tone="bad" /> : <Badge value={status} tone={tones[status]} />}
          <code>{type}</code>
          <small>
            {failing && `${failing}, `}
            <When at={createdAt} />, {attemptCount} {attemptCount === 1 ? 'attempt' : 'attempts'}
            {nextAttemptAt && !isPast(nextAttemptAt) && (
              <>
                , next <When at={nextAttemptAt} />
              </>
            )}
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
