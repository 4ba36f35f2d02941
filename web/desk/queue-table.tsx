import type { ResultOf } from 'gql.tada';
import { Link, useSearch } from 'wouter-preact';
import { graphql } from '../client/graphql.ts';
import { momentOf } from '../client/words.ts';
import { wordsOf } from '../components/badge.tsx';
import { counted } from '../components/counted.ts';
import { Logo } from '../components/picture.tsx';
import { ClockTime, duration, When } from '../components/when.tsx';
import { AccountName, useAccount } from './administrators.tsx';
import { reviewPath } from './claim-next.tsx';
import { useHeldDecision } from './held-decision.ts';
import { unansweredMessage } from './unanswered.ts';

export const QueueItemFields = graphql(`
  fragment DeskQueueItem on ReviewQueueItem {
    id
    submittedAt
    dueAt
    overdue
    lastReviewedRevision
    claim { by until }
    findings { severity }
    app {
      id
      name
      logoUrl
      category
      environment
      developer { id }
      images { field }
      messages(last: 1) { edges { node { id author createdAt } } }
      submissions(first: 2) { edges { node { id decidedAt } } }
    }
    version { id name category images { field } }
    developer { id name companyName status }
  }
`);

type QueueItem = ResultOf<typeof QueueItemFields>;

/** The kind of a submission, in words. */
export const kindOf = ({
  version,
  lastReviewedRevision,
}: Pick<QueueItem, 'lastReviewedRevision'> & { version: unknown }) =>
  version ? 'Version' : lastReviewedRevision === null ? 'New app' : 'Resubmission';

/** The submissions as a table; on a narrow screen each is a block. */
export const QueueTable = ({ items }: { items: readonly QueueItem[] }) => (
  <table class="lines">
    <caption class="hidden">Submissions that wait for a review, oldest first</caption>
    <thead>
      <tr>
        <th scope="col">App</th>
        <th scope="col">Developer</th>
        <th scope="col">Category</th>
        <th scope="col">Waiting</th>
        <th scope="col">Due</th>
        <th scope="col">Findings</th>
        <th scope="col">Claimed by</th>
      </tr>
    </thead>
    <tbody>
      {items.map((item) => (
        <QueueRow key={item.id} item={item} />
      ))}
    </tbody>
  </table>
);

function QueueRow({ item }: { item: QueueItem }) {
  const { id, app, version, developer, submittedAt } = item;
  const search = useSearch();
  const name = version?.name ?? app.name;
  const held = useHeldDecision();
  return (
    <tr>
      <td>
        <span class="app-line">
          <Logo url={app.logoUrl} name={name} />
          <span class="with-badges">
            <Link class="line" href={reviewPath(id, search)} dir="auto">
              {name}
            </Link>
            <span class={`badge ${version ? 'info' : ''}`}>{kindOf(item)}</span>
            {held?.submissionId === id && (
              <span class="badge info">{held.kind === 'approve' ? 'Approving' : 'Rejecting'}</span>
            )}
            {unansweredMessage(app) && <span class="badge warn">Unanswered message</span>}
          </span>
        </span>
      </td>
      <td>
        <span class="with-badges">
          <Link href={`/developers/${developer.id}`} dir="auto">
            {developer.name}
          </Link>
          {developer.status !== 'VERIFIED' && <span class="badge warn">{wordsOf(developer.status)}</span>}
        </span>
        {developer.companyName && <Company name={developer.companyName} />}
      </td>
      <td>
        {wordsOf(version?.category ?? app.category)}
        <small class="below">{wordsOf(app.environment)}</small>
      </td>
      <td data-label="Waiting">
        <time dateTime={submittedAt} title={momentOf(submittedAt)}>
          {duration((Date.now() - Date.parse(submittedAt)) / 1000)}
        </time>
      </td>
      <td data-label="Due">
        <Due item={item} />
      </td>
      <td data-label="Findings">
        <FindingCount findings={item.findings} isChecked={(version ?? app).images.length > 0} />
      </td>
      <td data-label="Claimed by">
        <ClaimedBy claim={item.claim} />
      </td>
    </tr>
  );
}

/** The company of a developer, below their name. It is aligned like the table, whatever its script. */
export const Company = ({ name }: { name: string }) => (
  <small class="below">
    <bdi>{name}</bdi>
  </small>
);

const Due = ({ item: { overdue, dueAt } }: { item: QueueItem }) =>
  overdue ? <Overdue since={dueAt} /> : <When at={dueAt} />;

export const Overdue = ({ since }: { since: string }) => (
  <span class="badge bad">Overdue by {duration((Date.now() - Date.parse(since)) / 1000)}</span>
);

interface FindingCountProps {
  findings: QueueItem['findings'];
  /** False if the service has not checked the pictures. */
  isChecked: boolean;
}

function FindingCount({ findings, isChecked }: FindingCountProps) {
  const errors = findings.filter(({ severity }) => severity === 'ERROR').length;
  if (findings.length === 0) return <span class="soft">{isChecked ? 'None' : 'None in the texts'}</span>;
  return <span class={`badge ${errors > 0 ? 'bad' : 'warn'}`}>{counted(findings.length, 'finding')}</span>;
}

/** Names the administrator who has claimed a submission, and until when. */
function ClaimedBy({ claim }: { claim: QueueItem['claim'] }) {
  const account = useAccount();
  if (!claim) return <span class="soft">–</span>;
  return (
    <span>
      {claim.by === account ? <strong>You</strong> : <AccountName id={claim.by} />}{' '}
      <small class="below">
        until <ClockTime at={claim.until} />
      </small>
    </span>
  );
}
