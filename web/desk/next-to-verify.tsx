import { Link } from 'wouter-preact';
import { useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';

const Waiting = graphql(`
  query DeskNextToVerify {
    developers(status: UNVERIFIED, sort: OLDEST, first: 2) {
      edges { node { id name companyName } }
    }
  }
`);

/** Leads to the developer who has waited longest for verification, other than the one that is shown. */
export function NextToVerify({ id, status }: { id: string; status: string }) {
  // Another status means that somebody has left the queue.
  return <NextLink key={status} id={id} />;
}

function NextLink({ id }: { id: string }) {
  const { data } = useData(Waiting, {});
  const next = data?.developers.edges.map(({ node }) => node).find((developer) => developer.id !== id);
  if (!next) return null;
  return (
    <Link class="button" href={`/developers/${next.id}`}>
      <span>
        Next to verify: <bdi>{next.companyName ?? next.name}</bdi>
      </span>
    </Link>
  );
}
