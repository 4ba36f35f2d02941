import assert from 'node:assert/strict';
import type { ObservableQuery, OperationVariables } from '@apollo/client';
import { filter, firstValueFrom, from } from 'rxjs';
import { client } from '../project/app/src/apollo';
import { list, loadMore } from '../project/app/src/apollo-list';
import { createApp, renameApp } from '../project/app/src/apollo-mutations';
import { AppPageDocument, MyAppsDocument } from '../project/app/src/documents';
import { hasCode, serviceErrors } from '../project/app/src/errors';
import { session } from '../project/app/src/session';
import { aListing, tokenOf } from './people';
import { recordRequests } from './requests';

const requests = recordRequests();
const loaded = async <Data, Variables extends OperationVariables>(query: ObservableQuery<Data, Variables>) =>
  firstValueFrom(from(query).pipe(filter(({ dataState, loading }) => dataState === 'complete' && !loading)));
const namesShown = () =>
  list.getCurrentResult().data?.apps?.edges?.map((edge) => edge?.node?.name ?? assert.fail());

// A list, page by page.
const shown: number[] = [];
list.subscribe(({ data }) => shown.push(data?.apps?.edges?.length ?? 0));
await loaded(list);
const first = list.getCurrentResult().data;
assert.equal(first?.apps?.edges?.length, 5);
await loadMore();
await loaded(list);
const names = namesShown() ?? [];
assert.equal(names.length, 10);
assert.deepEqual(
  names,
  [...new Set(names)].sort((a, b) => a.localeCompare(b, 'en', { sensitivity: 'base' })),
);
while ((await loaded(list)).data?.apps?.pageInfo?.hasNextPage) await loadMore();
assert.equal(namesShown()?.length, first?.apps?.totalCount);
assert.equal(shown.at(-1), first?.apps?.totalCount);
await loadMore();

// The hash of a query by GET, its text only the first time, and not at all once the service knows it.
const [hashed, full, ...others] = requests.splice(0);
assert.equal(hashed?.method, 'GET');
assert.match(hashed?.url.searchParams.get('extensions') ?? '', /"sha256Hash":"[0-9a-f]{64}"/);
assert.equal(hashed?.url.searchParams.get('query'), null);
assert.equal(full?.method, 'POST');
assert.ok(others.length >= 2);
assert.ok(others.every(({ method, url }) => method === 'GET' && !url.searchParams.has('query')));

// A missing app beside other data.
const { data, error } = await client.query({ query: AppPageDocument, variables: { slug: 'no-such-app' } });
assert.equal(data?.app, null);
assert.equal(data?.categories?.length, 10);
assert.ok(hasCode(error, 'NOT_FOUND'));
assert.deepEqual(serviceErrors(error)[0]?.path, ['app']);

// Mutations change what is shown.
session.token = await tokenOf('demo-developer');
const mine = client.watchQuery({ query: MyAppsDocument });
mine.subscribe(() => undefined);
const before = (await loaded(mine)).data?.myApps?.length ?? assert.fail();
const created = (await createApp(aListing('Apollo Counts'))).data?.createApp ?? assert.fail();
const newest = () => mine.getCurrentResult().data?.myApps?.[0];
assert.equal(mine.getCurrentResult().data?.myApps?.length, before + 1);
assert.equal(newest()?.id, created.id);
await renameApp(created.id, 'Apollo Counts Tasks', created.revision);
assert.equal(newest()?.name, 'Apollo Counts Tasks');
await assert.rejects(renameApp(created.id, 'Too late', created.revision), (conflict) =>
  hasCode(conflict, 'REVISION_CONFLICT'),
);
client.stop();
