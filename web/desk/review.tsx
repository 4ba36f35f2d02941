import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, Redirect, useLocation, useSearch } from 'wouter-preact';
import { type Data, useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { Back } from '../components/back.tsx';
import { wordsOf } from '../components/badge.tsx';
import { useKeys } from '../components/keys.ts';
import { useTitle } from '../components/shell.tsx';
import { Empty, Loaded, Loading } from '../components/status.tsx';
import { When } from '../components/when.tsx';
import { useAccountName } from './administrators.tsx';
import { reviewPath, useClaimNext } from './claim-next.tsx';
import { ClaimPanel } from './claim-panel.tsx';
import { DecisionPanel } from './decision-panel.tsx';
import { DeveloperSummary } from './developer-summary.tsx';
import { Findings } from './findings.tsx';
import { History } from './history.tsx';
import { useQueueChanges } from './live-queue.tsx';
import { kindOf } from './queue-table.tsx';
import {
  type DecidedSubmission,
  Review,
  type ReviewItem,
  type SubjectData,
  subjectOf,
} from './review-data.ts';
import { ReviewListing } from './review-listing.tsx';
import { Thread } from './thread.tsx';
import { keepClaim } from './untouched-claims.ts';
import { WhatChanged } from './what-changed.tsx';
import './review.css';

/** One submission on one screen: everything to decide on, and the decision. */
export function ReviewPage({ id }: { id: string }) {
  const review = useData(Review, { id });
  const search = useSearch();
  const [, navigate] = useLocation();
  useKeys({ q: () => navigate('/') });
  return (
    <Loaded from={review}>
      {({ node }) => {
        switch (node?.__typename) {
          case 'ReviewQueueItem':
            return <OpenReview item={node} review={review} />;
          case 'Submission':
            return <DecidedReview submission={node} />;
          case 'App': {
            const open = node.openSubmissions.edges.find(({ node: { outcome } }) => outcome === null);
            return <Redirect replace href={open ? reviewPath(open.node.id, search) : `/apps/${node.id}`} />;
          }
          case 'AppVersion':
            return <VersionReview id={node.id} />;
          default:
            return <Empty>This submission does not exist.</Empty>;
        }
      }}
    </Loaded>
  );
}

const VersionSubmission = graphql(`
  query DeskVersionSubmission($id: ID!) { reviewItem(id: $id) { id } }
`);

/** Leads from the id of a version to its submission. */
function VersionReview({ id }: { id: string }) {
  const search = useSearch();
  const { data, isLoading } = useData(VersionSubmission, { id });
  if (data?.reviewItem) return <Redirect replace href={reviewPath(data.reviewItem.id, search)} />;
  return isLoading ? <Loading /> : <Empty>This version is not waiting for review.</Empty>;
}

function OpenReview({ item, review }: { item: ReviewItem; review: Data<unknown> }) {
  const subject = subjectOf(item);
  useTitle(`${subject.name} · Review desk`);
  useQueueChanges(review.reload, item.app.id);
  const seen = useSeenListing(subject);
  return (
    <article class="review">
      <ReviewHeader item={item} />
      <div class="review-side stack">
        <ClaimPanel item={item} />
        <DecisionPanel item={item} seen={seen} reload={review.reload} />
        <Findings item={item} />
        <DeveloperSummary developer={item.developer} />
      </div>
      <div class="review-main stack">
        <WhatChanged item={item} reload={review.reload} />
        <ReviewListing item={item} />
      </div>
      <div class="review-more stack">
        <Thread
          appId={item.app.id}
          messages={item.app.messages}
          actions={item.app.allowedActions}
          onSent={() => keepClaim(item.id)}
        />
        <History of={item.app} />
      </div>
    </article>
  );
}

/**
 * The listing that the reviewer has seen. A decision names its revision, so that a listing that was changed meanwhile is
 * not approved unseen.
 */
function useSeenListing(current: SubjectData) {
  const [seen, setSeen] = useState(current);
  return {
    revision: seen.revision,
    isCurrent: seen.revision === current.revision,
    changes: listingFields
      .map((field) => ({ field, before: textOf(seen[field]), after: textOf(current[field]) }))
      .filter(({ before, after }) => before !== after),
    confirm: () => setSeen(current),
  };
}

const listingFields = [
  ...(['name', 'description', 'longDescription', 'category', 'websiteUrl'] as const),
  ...(['logoUrl', 'bannerUrl', 'oauthClientId', 'screenshots', 'versionNumber', 'releaseNotes'] as const),
];

const textOf = (value: SubjectData[(typeof listingFields)[number]]): string | null =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;

export type SeenListing = ReturnType<typeof useSeenListing>;

function ReviewHeader({ item }: { item: ReviewItem }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    scrollTo({ top: 0, behavior: 'instant' });
  }, []);
  const { app, version, developer } = item;
  return (
    <header class="review-head">
      <Back to="/">Queue</Back>
      <div class="row">
        <h1 ref={heading} tabIndex={-1} dir="auto">
          {subjectOf(item).name}
        </h1>
        <span class={`badge ${version ? 'info' : ''}`}>{kindOf(item)}</span>
        {item.overdue && <span class="badge bad">Overdue</span>}
      </div>
      <p class="soft tight">
        by{' '}
        <Link href={`/developers/${developer.id}`} dir="auto">
          {developer.name}
        </Link>
        {' · '}
        {wordsOf(subjectOf(item).category)}
        {' · '}
        {wordsOf(app.environment)}
        {' · submitted '}
        <When at={item.submittedAt} />
        {!item.overdue && (
          <>
            {' · due '}
            <When at={item.dueAt} />
          </>
        )}
        {' · '}
        <Link href={`/apps/${app.id}`}>App details</Link>
      </p>
    </header>
  );
}

/** A submission that is decided or withdrawn: by somebody else, or long ago. */
function DecidedReview({ submission }: { submission: DecidedSubmission }) {
  const { app, version, outcome, reviewer, decidedAt } = submission;
  useTitle(`${app.name} · Review desk`);
  const { claimNext, isClaiming } = useClaimNext();
  const nameOf = useAccountName();
  const name = version?.name ?? app.name;
  return (
    <section class="card stack">
      <h1 dir="auto">{name}</h1>
      <p class="note">
        This submission is closed: it was {wordsOf(outcome ?? 'DECIDED').toLowerCase()}
        {reviewer && ` by ${nameOf(reviewer)}`}
        {decidedAt && (
          <>
            {' '}
            <When at={decidedAt} />
          </>
        )}
        .
      </p>
      <div class="row">
        <button type="button" class="primary" disabled={isClaiming} onClick={() => void claimNext()}>
          Review next <kbd>n</kbd>
        </button>
        <Link href={`/apps/${app.id}`}>App details</Link>
        <Link href="/">Queue</Link>
      </div>
    </section>
  );
}
