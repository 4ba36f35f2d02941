import './streams';
import assert from 'node:assert/strict';
import { filter, firstValueFrom, from } from 'rxjs';
import { client as apollo } from '../project/app/src/apollo-live';
import { CreateAppDocument, MyAppsDocument } from '../project/app/src/documents';
import { query } from '../project/app/src/fetch';
import { follow } from '../project/app/src/live';
import { AppChangedDocument } from '../project/app/src/live-documents';
import { session } from '../project/app/src/session';
import { client as urql } from '../project/app/src/urql';
import { aListing, tokenOf } from './people';
import { nextStream } from './streams';

session.token = await tokenOf('demo-kofi');
const { data } = await urql.mutation(CreateAppDocument, { input: aListing('Live Counts') });
const { id } = data?.createApp ?? assert.fail();

/** Renames the app behind the back of the clients. */
const rename = async (name: string) => {
  const { errors } = await query(
    'mutation ($id: ID!, $name: String) { updateApp(id: $id, input: { name: $name }) { id } }',
    { id, name },
  );
  assert.equal(errors, undefined);
};

// Apollo Client: the event updates a query that shows the app.
const inApollo = apollo.watchQuery({ query: MyAppsDocument });
inApollo.subscribe(() => undefined);
const shownByApollo = (name: string) =>
  firstValueFrom(from(inApollo).pipe(filter((result) => result.data?.myApps?.[0]?.name === name)));
await shownByApollo('Live Counts');
const apolloEvents = apollo.subscribe({ query: AppChangedDocument, variables: { id } }).subscribe({});
await nextStream();
await Promise.all([shownByApollo('Seen by Apollo'), rename('Seen by Apollo')]);
apolloEvents.unsubscribe();

// urql: the same.
await urql.query(MyAppsDocument, {}, { requestPolicy: 'network-only' });
const shownByUrql = (name: string) =>
  new Promise<void>((resolve) => {
    const { unsubscribe } = urql.query(MyAppsDocument, {}).subscribe((result) => {
      if (result.data?.myApps[0]?.name === name) resolve();
    });
    unsubscribeAll.push(unsubscribe);
  });
const unsubscribeAll: (() => void)[] = [];
const urqlEvents = urql.subscription(AppChangedDocument, { id }).subscribe(() => undefined);
await nextStream();
await Promise.all([shownByUrql('Seen by urql'), rename('Seen by urql')]);
urqlEvents.unsubscribe();
for (const unsubscribe of unsubscribeAll) unsubscribe();

// The connection is lost: the client opens another one, and misses nothing.
const { promise: caughtUp, resolve: catchUp } = Promise.withResolvers<void>();
const { promise: first, resolve: receive } = Promise.withResolvers<void>();
const end = follow(
  { query: 'subscription ($id: ID!) { appChanged(id: $id) { app { name } } }', variables: { id } },
  {
    next(result) {
      receive();
      if (JSON.stringify(result.data).includes('While away')) catchUp();
    },
    error: (error) => assert.fail(String(error)),
    complete: () => undefined,
  },
);
const stream = await nextStream();
assert.equal(stream.lastEventId, null);
await Promise.all([first, rename('Before')]);
stream.cut();
await rename('While away');
await caughtUp;
assert.ok((await nextStream()).lastEventId);
end();
apollo.stop();
