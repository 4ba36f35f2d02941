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

/** The place in a queue in one line, for lists. */
export const placeText = ({ position, stage, etaP50 }: QueuePlaceData): string =>
  stage === 'IN_REVIEW'
    ? 'A reviewer is looking at it now.'
    : `Place ${position} in the queue${isKnown(etaP50) ? `; a decision is expected ${relativeTime(etaP50)}` : ''}.`;

/** An estimate that is not in the future says nothing. */
const isKnown = (at: string) => Date.parse(at) - Date.now() > 60_000;

/** The place in a queue, and the time when a decision is expected. */
export const QueuePlace = ({ place, since }: { place: QueuePlaceData; since: string }) => (
  <div class="place">
    <p class="place-number" role="status">
      <strong>{place.position}</strong>{' '}
      <span>
        {place.stage === 'IN_REVIEW'
          ? 'A reviewer is looking at it now.'
          : place.ahead === 0
            ? 'You are next in the queue.'
            : `Place ${place.position} in the queue: ${place.ahead} before you.`}
      </span>
    </p>
    <dl class="facts">
      <dt>{since}</dt>
      <dd>
        <When at={place.submittedAt} />
      </dd>
      {isKnown(place.etaP50) && (
        <>
          <dt>Decision expected</dt>
          <dd>
            <When at={place.etaP50} />
          </dd>
        </>
      )}
      {isKnown(place.etaP90) && relativeTime(place.etaP90) !== relativeTime(place.etaP50) && (
        <>
          <dt>If it takes longer</dt>
          <dd>
            <When at={place.etaP90} />
          </dd>
        </>
      )}
      <dt>{Date.parse(place.dueAt) < Date.now() ? 'Was due' : 'Due'}</dt>
      <dd>
        <When at={place.dueAt} />
      </dd>
    </dl>
  </div>
);
