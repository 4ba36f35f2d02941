import type { ResultOf } from 'gql.tada';
import { graphql } from '../client/graphql.ts';
import { relativeTime, When } from '../components/when.tsx';

export const QueuePlaceFields = graphql(`
  fragment QueuePlaceFields on QueuePlace {
    position
    ahead
    stage
    submittedAt
    etaP50
    etaP90
    dueAt
  }
`);

export type QueuePlaceData = ResultOf<typeof QueuePlaceFields>;

/** An estimate that is not in the future says nothing. */
const isAhead = (at: string) => Date.parse(at) - Date.now() > 60_000;
/** It is late, or it is expected to be: then nobody knows when it is decided. */
const isDelayed = ({ dueAt, etaP50 }: QueuePlaceData) =>
  Date.parse(dueAt) < Math.max(Date.now(), Date.parse(etaP50));

/** The place in a queue in one line, for lists. */
export function placeText(place: QueuePlaceData): string {
  const { position, stage, etaP50 } = place;
  if (stage === 'IN_REVIEW') return 'A reviewer is looking at it now.';
  if (isDelayed(place))
    return `Place ${position} in the queue. Decisions take longer than usual at the moment.`;
  return `Place ${position} in the queue${isAhead(etaP50) ? `; a decision is expected ${relativeTime(etaP50)}` : ''}.`;
}

interface QueuePlaceProps {
  place: QueuePlaceData;
  /** Says what happened when it entered the queue. */
  since: string;
  /** The time that a decision usually takes, as the e-mails say it. */
  usual: string;
}

/** The place in a queue, and the time when a decision is expected. */
export const QueuePlace = ({ place, since, usual }: QueuePlaceProps) => (
  <div class="place">
    <p class="place-number" role="status">
      {place.stage === 'IN_REVIEW'
        ? 'A reviewer is looking at it now.'
        : place.ahead === 0
          ? 'You are next in the queue.'
          : `Place ${place.position} in the queue: ${place.ahead} before you.`}
    </p>
    {place.stage !== 'IN_REVIEW' && (
      <p>
        <Expectation place={place} usual={usual} />
      </p>
    )}
    <small>
      {since} <When at={place.submittedAt} />
    </small>
  </div>
);

function Expectation({ place, usual }: Pick<QueuePlaceProps, 'place' | 'usual'>) {
  if (isDelayed(place)) return <>Decisions take longer than usual at the moment.</>;
  return (
    <>
      Usually decided within {usual}
      {isAhead(place.etaP50) && (
        <>
          ; at the moment a decision is expected <When at={place.etaP50} />
        </>
      )}
      .
    </>
  );
}
