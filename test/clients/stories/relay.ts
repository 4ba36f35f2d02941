import assert from 'node:assert/strict';
import { ConnectionHandler, fetchQuery } from 'relay-runtime';
import appsCardQuery, {
  type appsCardQuery as CardQuery,
} from '../project/relay/src/__generated__/appsCardQuery.graphql';
import appsPageQuery, {
  type appsPageQuery as PageQuery,
} from '../project/relay/src/__generated__/appsPageQuery.graphql';
import { loadApps, loadMyApps } from '../project/relay/src/apps';
import { environment } from '../project/relay/src/environment';
import { session } from '../project/relay/src/session';
import { tokenOf } from './people';

/** Returns the ids of the apps in the list, and the cursor of the last one. */
function readList() {
  let ids: string[] = [];
  let endCursor: unknown;
  environment.commitUpdate((store) => {
    const list =
      ConnectionHandler.getConnection(store.getRoot(), 'apps_apps', { sort: 'name' }) ?? assert.fail();
    const edges = list.getLinkedRecords('edges') ?? [];
    ids = edges.map((edge) => edge.getLinkedRecord('node')?.getDataID() ?? assert.fail());
    endCursor = list.getLinkedRecord('pageInfo')?.getValue('endCursor');
  });
  return { ids, endCursor: String(endCursor) };
}

// Pages join into one list of objects, each under its nodeId.
await loadApps();
const { ids, endCursor } = readList();
assert.equal(ids.length, 5);
await fetchQuery<PageQuery>(environment, appsPageQuery, { first: 5, after: endCursor }).toPromise();
assert.equal(new Set(readList().ids).size, 10);

// A fragment is fetched again by the nodeId of its object.
const source = () => environment.getStore().getSource();
const nodeId = ids[0] ?? assert.fail();
const card = await fetchQuery<CardQuery>(environment, appsCardQuery, { nodeId }).toPromise();
assert.ok(card?.node);
assert.equal(source().get(nodeId)?.nodeId, nodeId);

// The public form of an app and that of its developer are two records.
session.token = await tokenOf('demo-developer');
const mine = await loadMyApps();
const own = new Set(mine?.myApps.map(({ id }) => id));
const forms = source()
  .getRecordIDs()
  .map((id) => source().get(id))
  .filter((record) => own.has(String(record?.id)))
  .map((record) => String(record?.__typename));
assert.ok(forms.includes('App'));
assert.equal(forms.filter((type) => type === 'App').length, own.size);
