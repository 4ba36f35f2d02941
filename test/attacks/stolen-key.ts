import type { Developer, Json } from '../support/actors.js';
import { notificationsOf } from '../support/notifications.js';
import type { Service } from '../support/service.js';

/** Sends the form of a page. */
export const post = (url: string) =>
  fetch(url, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } });

export const profileOf = (service: Service, { token }: Developer) => service.must<Json>('me', {}, token);

/** The link of the latest mail that has one. */
export async function lastUndoUrl(service: Service, { id }: Developer): Promise<string> {
  const links = (await notificationsOf(service, id)).flatMap(({ undoUrl }) => undoUrl ?? []);
  return String(links.at(-1));
}

export const tokenOf = async (service: Service, developer: Developer) =>
  new URL(await lastUndoUrl(service, developer)).searchParams.get('token')!;

/** Revokes a key as its owner would, and returns its id. */
export async function revoked(service: Service, { token }: Developer, id: string): Promise<string> {
  await service.must('revokeApiKey', { id, descendants: true }, token);
  return id;
}

/** Returns the recipients of the mails about events of a kind: `developer` for the present address. */
export const recipientsOf = async (service: Service, { id }: Developer, kind: string) =>
  (await notificationsOf(service, id))
    .filter((mail) => mail.kind === kind)
    .map(({ recipient }) => recipient ?? 'developer');

/** The kinds of what was done with a key, newest first, and whether it is undone. */
export async function changesOf(service: Service, { token }: Developer, keyId: string) {
  const { keyChanges } = await service.client.queryData<{
    keyChanges: { changes: { eventKind: string; result: string }[] };
  }>('query ($keyId: ID!) { keyChanges(keyId: $keyId) { changes { eventKind result } } }', { keyId }, token);
  return keyChanges.changes.map(({ eventKind, result }) => [eventKind, result]);
}

/** Changes the profile twice by a key, then as often as makes a hundred rows, then ten times. */
export async function editOften(service: Service, { id, key }: { id: string; key: string }): Promise<void> {
  const edit = (bio: string) => service.must('updateMe', { bio }, key);
  for (const n of [1, 2]) await edit(`Evil ${n}.`);
  await service.sql(
    `insert into profile_changes (id, developer_id, key_id, before, undo_hash, created_at)
     select gen_random_uuid(), developer_id, key_id, before, sha256(gen_random_uuid()::text::bytea), created_at
     from (select * from profile_changes where key_id = $1 order by created_at desc limit 1) last, generate_series(1, 98)`,
    [id],
  );
  for (let n = 0; n < 10; n += 1) await edit(`More evil ${n}.`);
}
