import { expect } from '@jest/globals';
import type { OperationName } from '../../src/contract.js';
import { aRejection, type Developer } from './actors.js';
import type { Input } from './api-client.js';
import type { Service } from './service.js';

/** One entry of allowedActions. */
export interface Foretold {
  action: OperationName;
  allowed: boolean;
  code: string | null;
  message: string | null;
}

export const allowedActions = 'allowedActions { action allowed code message }';

type Subject = { id: string; allowedActions: Foretold[] };
type Submission = { app: Subject; version: Subject | null };
const submission = `{ app { id ${allowedActions} } version { ${allowedActions} } }`;
const foretoldOf = ({ app, version }: Submission) => ({
  app: app.allowedActions,
  version: version?.allowedActions ?? [],
});

/** Returns the actions on a waiting app or version that an administrator reads in the queue, also of their own. */
export async function foretoldInQueue(
  service: Service,
  appId: string,
  bearer: string,
): Promise<Record<'app' | 'version', Foretold[]>> {
  // To the front, since the copies that other tests make wait as well.
  await service.sql("update submissions set queued_at = 'epoch' where app_id = $1", [appId]);
  const query = `{ reviewQueue(first: 100) { edges { node ${submission} } } }`;
  type Answer = { reviewQueue: { edges: { node: Submission }[] } };
  const { reviewQueue } = await service.client.queryData<Answer>(query, {}, bearer);
  return foretoldOf(reviewQueue.edges.find(({ node }) => node.app.id === appId)!.node);
}

/** The same for an unclaimed submission that is out of the queue. */
export async function foretoldOfReleased(
  service: Service,
  id: string,
  bearer: string,
): Promise<Record<'app' | 'version', Foretold[]>> {
  const query = `mutation ($id: ID!) { releaseReview(id: $id) ${submission} }`;
  return foretoldOf(
    (await service.client.queryData<{ releaseReview: Submission }>(query, { id }, bearer)).releaseReview,
  );
}

/** Tries each action on an app or version that is at revision 1. */
const inputs: Partial<Record<OperationName, (id: string) => Input>> = {
  updateApp: (id) => ({ id, name: 'Another name' }),
  addressReason: (id) => ({ id, reason: 0 }),
  messageReviewers: (id) => ({ id, text: 'Hello.' }),
  messageDeveloper: (id) => ({ id, text: 'Hello.' }),
  createAppVersion: (appId) => ({ appId }),
  approveApp: (id) => ({ id, revision: 1 }),
  rejectApp: (id) => ({ id, ...aRejection(1) }),
  suspendApp: (id) => ({ id, reason: 'It misbehaves.' }),
  featureApp: (id) => ({ id, featured: true }),
  editApp: (id) => ({ id, description: 'Corrected.', reason: 'A typo.' }),
  updateAppVersion: (id) => ({ id, name: 'Another name' }),
  approveAppVersion: (id) => ({ id, revision: 1 }),
  rejectAppVersion: (id) => ({ id, ...aRejection(1) }),
};

/** Tries every action and expects the outcome that allowedActions predicted. A refusal changes nothing, so only allowed actions need a subject of their own. */
export async function expectForetold(
  service: Service,
  foretold: readonly Foretold[],
  { bearer, subject, another }: { bearer: string; subject: string; another: () => Promise<string> },
): Promise<void> {
  const rows = () =>
    service.sql(
      'select to_jsonb(a) from apps a where id = $1 union all select to_jsonb(v) from app_versions v where id = $1',
      [subject],
    );
  const before = await rows();
  const answers: Foretold[] = [];
  for (const { action, allowed } of foretold) {
    const id = allowed ? await another() : subject;
    const { code, message } = await service.call(action, inputs[action]?.(id) ?? { id }, bearer);
    answers.push({ action, allowed: code === null, code, message: message || null });
  }
  expect(answers).toEqual(foretold);
  expect(await rows()).toEqual(before);
}

/** An app that is the same in every respect but its id and slug, its version and submission included. */
export async function twinOf(
  service: Service,
  appId: string,
): Promise<{ appId: string; versionId: string | null }> {
  const [twin, versionId] = [crypto.randomUUID(), crypto.randomUUID()];
  await copy(service, 'apps', { id: twin, slug: `twin-${twin}` }, 'id', appId);
  const versions = await copy(service, 'app_versions', { id: versionId, app_id: twin }, 'app_id', appId);
  const submission = { id: crypto.randomUUID(), app_id: twin };
  const open = 'app_id = $1 and ended_at is null and version_id is';
  await copy(service, 'submissions', submission, `${open} null and app_id`, appId);
  await copy(
    service,
    'submissions',
    { ...submission, version_id: versionId },
    `${open} not null and app_id`,
    appId,
  );
  return { appId: twin, versionId: versions ? versionId : null };
}

/** Copies rows with some columns changed; returns how many. */
async function copy(
  service: Service,
  table: string,
  changed: Record<string, string>,
  key: string,
  value: string,
): Promise<number> {
  const names = columnsOf.get(table) ?? (await columnsIn(service, table));
  columnsOf.set(table, names);
  const values = names.map((name) => (changed[name] ? `'${changed[name]}'` : name));
  const rows = await service.sql(
    `insert into ${table} (${names.join()}) select ${values.join()} from ${table} where ${key} = $1 returning 1`,
    [value],
  );
  return rows.length;
}

const columnsOf = new Map<string, string[]>();
async function columnsIn(service: Service, table: string): Promise<string[]> {
  const columns = await service.sql<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  return columns.map(({ name }) => name);
}

/** Puts a verified developer into another state, and back, whatever they have done so far. */
export const setStatus = (
  service: Service,
  { id }: Developer,
  status: 'VERIFIED' | 'UNVERIFIED' | 'SUSPENDED',
) =>
  service.sql(
    `update developers set status = $2, status_before_suspension = case $2 when 'SUSPENDED' then 'VERIFIED' end,
       verified_at = case $2 when 'UNVERIFIED' then null else now() end where id = $1`,
    [id, status],
  );
