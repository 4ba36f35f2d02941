import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, Redirect, useLocation, useSearch } from 'wouter-preact';
import { type Data, useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { wordsOf } from '../components/badge.tsx';
import { useKeys } from '../components/keys.ts';
import { useTitle } from '../components/shell.tsx';
import { Empty, Loaded, Loading } from '../components/status.tsx';
import { When } from '../components/when.tsx';
import { reviewPath, useClaimNext } from './claim-next.tsx';
import { ClaimPanel } from './claim-panel.tsx';
import { DecisionPanel } from './decision-panel.tsx';
import { DeveloperSummary } from './developer-summary.tsx';
import { Findings } from './findings.tsx';
import { History } from './history.tsx';
import { useQueueChanges } from './live-queue.tsx';
import { kindOf } from './queue-table.tsx';
import { type DecidedSubmission, Review, type ReviewItem, subjectOf } from './review-data.ts';
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
            return <Empty>There is no such submission.</Empty>;
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
  return isLoading ? <Loading /> : <Empty>This version does not wait for a review.</Empty>;
}

function OpenReview({ item, review }: { item: ReviewItem; review: Data<unknown> }) {
  const subject = subjectOf(item);
  useTitle(`${subject.name} · Review desk`);
  useQueueChanges(review.reload, item.app.id);
  const seen = useSeenRevision(subject.revision);
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
 * The revision that the reviewer has seen. A decision names it, so that a listing that was changed meanwhile is not
 * approved unseen.
 */
function useSeenRevision(current: number) {
  const [seen, setSeen] = useState(current);
  return { revision: seen, isCurrent: seen === current, confirm: () => setSeen(current) };
}

export type SeenRevision = ReturnType<typeof useSeenRevision>;

function ReviewHeader({ item }: { item: ReviewItem }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    scrollTo({ top: 0, behavior: 'instant' });
  }, []);
  const { app, version, developer } = item;
  return (
    <header class="review-head">
      <p class="row soft tight">
        <Link href="/">Queue</Link>
        <span class={`badge ${version ? 'info' : ''}`}>{kindOf(item)}</span>
        <span>{wordsOf(subjectOf(item).category)}</span>
        <span>{app.environment}</span>
        <span>
          Submitted <When at={item.submittedAt} />
        </span>
        {item.overdue ? (
          <span class="badge bad">Overdue</span>
        ) : (
          <span>
            Due <When at={item.dueAt} />
          </span>
        )}
      </p>
      <h1 ref={heading} tabIndex={-1} dir="auto">
        {subjectOf(item).name}
      </h1>
      <p class="tight">
        by{' '}
        <Link href={`/developers/${developer.id}`} dir="auto">
          {developer.name}
        </Link>
        {' · '}
        <Link href={`/apps/${app.id}`}>All about this app</Link>
      </p>
    </header>
  );
}

/** A submission that is decided or withdrawn: by somebody else, or long ago. */
function DecidedReview({ submission }: { submission: DecidedSubmission }) {
  const { app, version, outcome, reviewer, decidedAt } = submission;
  useTitle(`${app.name} · Review desk`);
  const { claimNext, isClaiming } = useClaimNext();
  const name = version?.name ?? app.name;
  return (
    <section class="card stack">
      <h1 dir="auto">{name}</h1>
      <p class="note">
        This submission no longer waits: it was {wordsOf(outcome ?? 'DECIDED').toLowerCase()}
        {reviewer && ` by ${reviewer}`}
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
          Review the next one <kbd>n</kbd>
        </button>
        <Link href={`/apps/${app.id}`}>All about this app</Link>
        <Link href="/">Queue</Link>
      </div>
    </section>
  );
}
