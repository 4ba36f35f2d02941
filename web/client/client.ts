import { Client, cacheExchange, fetchExchange, mapExchange, subscriptionExchange } from '@urql/preact';
import { createClient as createStreamClient } from 'graphql-sse';
import { isOutage, isSignedOut } from './problems.ts';
import { noteOutage, waitToReconnect } from './service.ts';
import { session } from './session.ts';
import { pathOf, settings } from './settings.ts';
import { Signal } from './signal.ts';

/** Number of times that an event stream was connected: what changed before was not reported by it. */
export const streamConnections = new Signal(0);

/** Creates the client of an account. Its cache ends with it, so that no account sees the data of another. */
export function createClient(): Client {
  const streams = createStreamClient({
    url: pathOf('/graphql/stream'),
    headers: authorization,
    retryAttempts: Number.POSITIVE_INFINITY,
    retry: waitToReconnect,
    on: {
      connected(isReconnected) {
        // A list of the storefront may be a moment old, and is not read twice when a page opens.
        if (isReconnected || settings.area !== 'market') streamConnections.value += 1;
      },
    },
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
