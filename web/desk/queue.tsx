import { useData, useEvents } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { useTitle } from '../components/shell.tsx';
import { Empty, Loaded } from '../components/status.tsx';
import { When } from '../components/when.tsx';

const Queue = graphql(`
  query DeskQueue {
    reviewQueue(first: 20) {
      totalCount
      edges {
        node {
          id
          submittedAt
          overdue
          app { id name slug }
          developer { id name }
        }
      }
    }
  }
`);

const QueueChanged = graphql(`
  subscription DeskQueueChanged {
    reviewQueueChanged {
      counts { total }
    }
  }
`);

/** The submissions that wait for a review, oldest first. */
export function QueuePage() {
  useTitle('Queue · Review desk');
  const queue = useData(Queue, {});
  useEvents(QueueChanged, {}, queue.reload);
  return (
    <Loaded from={queue}>
      {({ reviewQueue: { totalCount, edges } }) => (
        <section class="card">
          <h1>{totalCount} submissions wait</h1>
          {edges.length === 0 && <Empty>Nothing waits for a review.</Empty>}
          <ul>
            {edges.map(({ node }) => (
              <li key={node.id}>
                {node.app.name} by {node.developer.name}, <When at={node.submittedAt} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </Loaded>
  );
}
