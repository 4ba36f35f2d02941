import { sql } from 'kysely';

/** An answer as it was given the first time. */
export interface KeptAnswer {
  /** Of the body that was sent. */
  bodyHash: Buffer;
  status: number;
  etag: string | null;
  /** JSON, as it was sent; null where the answer held a secret, which is kept nowhere. */
  body: string | null;
  /** The name of what was shown once, in place of such a body. */
  shownOnce: string | null;
  /** Whose quota it counts against; null: nobody's. */
  developerId: string | null;
}

const lifetime = sql`interval '24 hours'`;

/** What is kept under an id; what is older than a day is as good as gone. */
export const keptAnswer = (id: Buffer) => sql<KeptAnswer>`
  select body_hash as "bodyHash", status, etag, body, shown_once as "shownOnce", developer_id as "developerId"
  from kept_answers where id = ${id} and created_at > now() - ${lifetime}`;

/** Holds an id until the transaction is over; false where somebody else holds it. */
export const holdAnswer = (id: Buffer) =>
  sql<{ held: boolean }>`select pg_try_advisory_xact_lock(${id.readBigInt64BE()}) as held`;

/** Keeps an answer; one that has outlived its day makes room. */
export const keepAnswer = (
  id: Buffer,
  { bodyHash, status, etag, body, shownOnce, developerId }: KeptAnswer,
) => sql`
  insert into kept_answers (id, body_hash, status, etag, body, shown_once, developer_id, created_at)
  values (${id}, ${bodyHash}, ${status}, ${etag}, ${body}, ${shownOnce}, ${developerId}, now())
  on conflict (id) do update set body_hash = excluded.body_hash, status = excluded.status, etag = excluded.etag,
    body = excluded.body, shown_once = excluded.shown_once, created_at = excluded.created_at
  where kept_answers.created_at <= now() - ${lifetime}`;

/** Removes what has outlived its day. */
export const removeOldAnswers = () => sql`delete from kept_answers where created_at <= now() - ${lifetime}`;
