import { beforeAll, describe, expect, it } from '@jest/globals';
import { beforeTests } from '../../support/before-tests.js';
import { unknownId } from '../../support/matchers.js';
import { sharedService } from '../../support/service.js';
import { type Callers, gatherObjects, type NodeObject } from './objects.js';

let callers: Callers;
let objects: Record<string, NodeObject>;
const service = beforeTests(sharedService);
beforeAll(async () => {
  ({ callers, objects } = await gatherObjects(service));
});

const document = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id nodeId } }';

describe('nodes', () => {
  it('returns objects of all types in the order of the ids, null with an error for what is missing (D151)', async () => {
    const { App, PublicApp, Rating, ApiKey, AuditEvent } = objects as Record<string, NodeObject>;
    const ids = [
      ...[Rating!.id, PublicApp!.nodeId, unknownId, App!.nodeId, 'nonsense', ApiKey!.id, App!.id],
      ...[AuditEvent!.nodeId, PublicApp!.nodeId],
    ];
    const { data, errors } = await service.client.graphql(document, { ids }, callers.owner);
    const found = (data as unknown as { nodes: ({ __typename: string; id: string } | null)[] }).nodes;
    expect(found.map((each) => each?.__typename ?? null)).toEqual([
      ...['Rating', 'PublicApp', null, 'App', null, 'ApiKey', 'App', null, 'PublicApp'],
    ]);
    expect(found.map((each) => each?.id ?? null)).toEqual([
      ...[Rating!.id, PublicApp!.id, null, App!.id, null, ApiKey!.id, App!.id, null, PublicApp!.id],
    ]);
    expect(
      (errors ?? []).map(({ path, extensions }: { path?: unknown; extensions: { code?: string } }) => [
        path,
        extensions.code,
      ]),
    ).toEqual([
      [['nodes', 2], 'NOT_FOUND'],
      [['nodes', 4], 'NOT_FOUND'],
      [['nodes', 7], 'FORBIDDEN'],
    ]);
  });

  it('takes none to 100 ids (D151)', async () => {
    const call = (ids: string[]) => service.client.call('graphql', 'nodes', { ids });
    expect((await call([])).data).toEqual([]);
    const many = Array.from({ length: 100 }, () => objects.PublicApp!.nodeId);
    expect((await call(many)).data).toHaveLength(100);
  });

  it('counts each id in the cost of the document (D81, D151)', async () => {
    const costOf = async (ids: string[]) => {
      const { response } = await service.client.graphql(
        'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on PublicApp { developer { apps(first: 100) { edges { node { longDescription } } } } } } }',
        { ids },
      );
      return response.status;
    };
    expect(await costOf([objects.PublicApp!.nodeId])).toBe(200);
    expect(await costOf([objects.PublicApp!.nodeId, objects.PublicApp!.nodeId, unknownId])).toBe(400);
  });
});
