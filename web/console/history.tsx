import type { ResultOf } from 'gql.tada';
import { useState } from 'preact/hooks';
import { useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { Disclosure } from '../components/disclosure.tsx';
import { MoreButton } from '../components/more-button.tsx';
import { Loaded } from '../components/status.tsx';
import { When } from '../components/when.tsx';
import { labelOf } from './listing.ts';
import { ListingChanges } from './listing-changes.tsx';
import { Reason } from './rejection.tsx';
import { useReloadAfter } from './reload-after.ts';

const History = graphql(`
  query ConsoleHistory($id: ID!, $last: Int!) {
    myApp(id: $id) {
      timeline(last: $last) {
        totalCount
        edges {
          node {
            id
            at
            by
            kind
            message
            changes {
              field
              before
              after
            }
            reasons {
              code
              field
              message
            }
          }
        }
      }
    }
  }
`);
type Entry = NonNullable<ResultOf<typeof History>['myApp']>['timeline']['edges'][number]['node'];
const FIRST_SHOWN = 10;
const MOST_SHOWN = 100;

/** Everything that happened to an app, newest first. */
export function AppHistory({ id, events }: { id: string; events: number }) {
  const [last, setLast] = useState(FIRST_SHOWN);
  const history = useData(History, { id, last });
  useReloadAfter(events, history.reload);
  return (
    <section class="card">
      <h2>History</h2>
      <Loaded from={history}>
        {({ myApp }) => {
          const { totalCount, edges } = myApp?.timeline ?? { totalCount: 0, edges: [] };
          return (
            <>
              <ol class="plain timeline">
                {edges.toReversed().map(({ node }) => (
                  <li key={node.id}>
                    <TimelineItem entry={node} />
                  </li>
                ))}
              </ol>
              {last < MOST_SHOWN && (
                <MoreButton
                  shown={edges.length}
                  total={totalCount}
                  isLoading={history.isLoading}
                  onMore={() => setLast(MOST_SHOWN)}
                />
              )}
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

const actors: Record<Entry['by'], string> = {
  DEVELOPER: 'You',
  ADMINISTRATOR: 'An administrator',
  SYSTEM: 'The marketplace',
};

/** Events whose kinds, read as words, would not say who did what. */
const titles: Readonly<Record<string, string>> = {
  'app.reason-addressed': 'Reason addressed',
  'version.reason-addressed': 'Reason addressed',
  'rating.replied': 'Replied to a rating',
  'review.message-received': 'Message from the reviewers',
  'review.message-sent': 'Message to the reviewers',
};

/** `app.picture-changed` as "App picture changed". */
const titleOf = (kind: string) => {
  if (titles[kind]) return titles[kind];
  const [subject = '', event = ''] = kind.split('.');
  return `${subject.charAt(0).toUpperCase()}${subject.slice(1)} ${event.replaceAll('-', ' ')}`;
};

/** The title of an event implies them. */
const impliedFields = ['status', 'revision', 'slug', 'featured', 'hidden', 'addressed', 'stage'];
const isImplied = (field: string) => impliedFields.includes(field) || field.startsWith('rejection.');

function TimelineItem({ entry: { at, by, kind, message, changes, reasons } }: { entry: Entry }) {
  // The first name is that of the page, and the thread has the messages.
  const shown = changes.filter(
    ({ field, before }) => !isImplied(field) && !(field === 'name' && before === null),
  );
  const isInThread = kind.startsWith('review.message-');
  return (
    <>
      <strong>{titleOf(kind)}</strong>{' '}
      <small>
        {actors[by]}, <When at={at} />
      </small>
      {message && !isInThread && (
        <p class="written" dir="auto">
          {message}
        </p>
      )}
      {reasons.length > 0 && (
        <ul>
          {reasons.map((reason) => (
            <li key={reason.code + reason.field + reason.message}>
              <Reason reason={reason} />
            </li>
          ))}
        </ul>
      )}
      {shown.length > 0 && (
        <Disclosure summary={shown.map(({ field }) => labelOf(field)).join(', ')}>
          {() => <ListingChanges changes={shown} />}
        </Disclosure>
      )}
    </>
  );
}
