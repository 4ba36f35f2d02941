import { Client, cacheExchange, fetchExchange, mapExchange, subscriptionExchange } from '@urql/preact';
import { createClient as createStreamClient } from 'graphql-sse';
import { isOutage, isSignedOut } from './problems.ts';
import { noteOutage } from './service.ts';
import { session } from './session.ts';
import { pathOf, settings } from './settings.ts';

/** Creates the client of an account. Its cache ends with it, so that no account sees the data of another. */
export function createClient(): Client {
  const streams = createStreamClient({
    url: pathOf('/graphql/stream'),
    headers: authorization,
    retryAttempts: Number.POSITIVE_INFINITY,
  });
  return new Client({
    url: pathOf('/graphql'),
    // Public responses by GET can be stored by browsers and by servers in between.
    preferGetMethod: settings.area === 'market' ? 'within-url-limit' : false,
    requestPolicy: 'cache-and-network',
    fetch: async (input, init) =>
      fetch(input, {
        ...init,
        headers: { ...Object.fromEntries(new Headers(init?.headers)), ...(await authorization()) },
      }),
    exchanges: [
      mapExchange({
        onError(error) {
          if (isSignedOut(error)) session.expire();
          if (isOutage(error)) void noteOutage();
        },
      }),
      cacheExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables }) => ({
          subscribe: (sink) => ({
            unsubscribe: streams.subscribe(
              { query, variables: variables as Record<string, unknown> },
              sink as never,
            ),
          }),
        }),
      }),
      fetchExchange,
    ],
  });
}

async function authorization(): Promise<Record<string, string>> {
  const token = await session.token();
  return token === null ? {} : { authorization: `Bearer ${token}` };
}
