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

const connection = () => {
  const root = environment.getStore().getSource();
  let shown: { ids: string[]; endCursor: string | undefined } | undefined;
  environment.commitUpdate((store) => {
    const record = ConnectionHandler.getConnection(store.getRoot(), 'apps_apps');
    shown = {
      ids: record?.getLinkedRecords('edges')?.map((edge) => edge?.getLinkedRecord('node')?.getDataID() ?? '') ?? [],
      endCursor: record?.getLinkedRecord('pageInfo')?.getValue('endCursor') as string | undefined,
    };
  });
  assert.ok(root);
  return shown ?? assert.fail();
};

// Pages join into one list of objects, each under its nodeId.
await loadApps();
const { ids, endCursor } = connection();
assert.equal(ids.length, 5);
await fetchQuery<PageQuery>(environment, appsPageQuery, { first: 5, after: endCursor }).toPromise();
assert.equal(new Set(connection().ids).size, 10);

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
