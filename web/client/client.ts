import { Client, cacheExchange, fetchExchange, mapExchange, subscriptionExchange } from '@urql/preact';
import { isOutage, isSignedOut } from './problems.ts';
import { noteOutage, noteSuccess } from './service.ts';
import { session } from './session.ts';
import { pathOf, settings } from './settings.ts';
import { authorization, Streams } from './streams.ts';

/** Creates the client of an account. Its cache ends with it, so that no account sees the data of another. */
export function createClient(): Client {
  const streams = new Streams();
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
        onError(error, { kind }) {
          if (kind !== 'subscription' && isSignedOut(error)) session.expire();
          if (isOutage(error)) void noteOutage();
        },
        onResult({ error, operation: { kind } }) {
          if (!error && kind !== 'subscription') noteSuccess();
        },
      }),
      cacheExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables = {} }) => ({
          subscribe: (sink) => ({ unsubscribe: streams.follow({ query, variables }, sink) }),
        }),
      }),
      fetchExchange,
    ],
  });
}
