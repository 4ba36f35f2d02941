import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { v7 as newId } from 'uuid';
import { ormOptions } from '../../mikro-orm.config.js';
import { migrateDatabase } from '../../src/process/migrate.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';

/** The last migration of the first release. */
const firstRelease = '0014-keys-and-audit';

describe('a database of the first release', () => {
  let database: TestDatabase;
  let client: Client;
  const developer = newId();
  const [app, rating, shown] = [newId(), newId(), newId()];
  const submitted = { rejected: newId(), approved: newId(), withdrawn: newId(), unknown: newId() };
  const minute = (number: number) => new Date(Date.UTC(2026, 0, 1, 0, number));
  const keys = { root: newId(), child: newId(), rotated: newId(), byPerson: newId() };

  const event = (kind: string, actorKey: string | null, data: object, account: string | null = null) =>
    client.query(
      `insert into audit_events (id, created_at, kind, actor_kind, actor_key, actor_account, developer_id, data, request_id)
       values ($1, now(), $2, 'developer', $3, $4, $5, $6, 'request')`,
      [newId(), kind, actorKey, account, developer, data],
    );

  beforeAll(async () => {
    database = await createEmptyDatabase();
    const orm = await MikroORM.init(ormOptions(database.url, 2));
    await orm.migrator.up({ to: firstRelease });
    await orm.close();
    client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(
      `insert into developers (id, account_user_id, name, email, status, verified_at, created_at, updated_at)
       values ($1, 'ada', 'Ada', 'ada@example.com', 'VERIFIED', now(), now(), now())`,
      [developer],
    );
    for (const id of Object.values(keys))
      await client.query(
        `insert into api_keys (id, developer_id, name, scopes, hash, masked_key, expires_at, created_at)
         values ($1, $2, 'A key', '{APP_READ}', sha256($3), 'mkt_…', now() + interval '1 day', now())`,
        [id, developer, Buffer.from(id)],
      );
    await event('key.created', null, { keyId: keys.root });
    await event('key.created', keys.root, { keyId: keys.child });
    await event('key.rotated', keys.root, { keyId: keys.rotated, formerKeyId: keys.child });
    await event('key.rotated', null, { keyId: keys.byPerson, formerKeyId: keys.root });
    await event('key.revoked', keys.root, { keyId: keys.byPerson });
    await client.query(
      `insert into apps (id, developer_id, slug, name, description, category, environment, screenshots, status,
         featured, review_count, average_rating, revision, created_at, updated_at)
       values ($1, $2, 'an-app', 'An app', 'It works.', 'OTHER', 'production', '[]', 'DRAFT', false, 0, 0, 1, now(), now())`,
      [app, developer],
    );
    for (const [id, account, hiddenAt] of [
      [rating, 'eve', new Date()],
      [shown, 'bob', null],
    ])
      await client.query(
        `insert into ratings (id, app_id, account_user_id, rating, hidden_at, created_at, updated_at)
         values ($1, $2, $3, 1, $4, now(), now())`,
        [id, app, account, hiddenAt],
      );
    for (const [reason, account] of [
      ['Spam.', 'mia'],
      ['An insult.', 'noa'],
    ] as const) {
      await event('rating.hidden', null, { ratingId: rating, reason }, account);
      await event('rating.hidden', null, { ratingId: shown, reason }, account);
    }
    for (const [number, [outcome, id]] of Object.entries(submitted).entries())
      await client.query(
        `insert into submissions (id, created_at, app_id, queued_at, due_at, ended_at, outcome)
         values ($1, $2, $3, $2, $2, $4, $5)`,
        [
          id,
          minute(number),
          app,
          minute(number + 1),
          outcome === 'unknown' ? 'APPROVED' : outcome.toUpperCase(),
        ],
      );
    for (const [number, kind, data] of [
      [
        1,
        'app.rejected',
        { reasons: [{ code: 'OTHER', field: null, message: 'No.' }], guidance: 'Mend it.' },
      ],
      [2, 'app.approved', { note: 'Fine.' }],
    ] as const)
      await client.query(
        `insert into audit_events (id, created_at, kind, actor_kind, actor_account, developer_id, app_id, data, request_id)
         values ($1, $2, $3, 'administrator', 'mia', $4, $5, $6, 'request')`,
        [newId(), minute(number), kind, developer, app, data],
      );
    await migrateDatabase(database.url);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('has the creating key of each key after the upgrade (D103)', async () => {
    const { rows } = await client.query('select id, created_by_key_id from api_keys order by id');
    expect(rows).toEqual([
      { id: keys.root, created_by_key_id: null },
      { id: keys.child, created_by_key_id: keys.root },
      { id: keys.rotated, created_by_key_id: keys.root },
      { id: keys.byPerson, created_by_key_id: null },
    ]);
  });

  it('has the decision on each submission after the upgrade, where the audit log has it (D159)', async () => {
    const { rows } = await client.query(
      'select id, decided_by, note, rejection, findings from submissions order by created_at',
    );
    const nothing = { decided_by: null, note: null, rejection: null, findings: null };
    expect(rows).toEqual([
      {
        ...nothing,
        id: submitted.rejected,
        decided_by: 'mia',
        rejection: {
          reasons: [{ code: 'OTHER', field: null, message: 'No.' }],
          guidance: 'Mend it.',
          rejectedAt: '2026-01-01T00:01:00.000Z',
        },
      },
      { ...nothing, id: submitted.approved, decided_by: 'mia', note: 'Fine.' },
      { ...nothing, id: submitted.withdrawn },
      { ...nothing, id: submitted.unknown },
    ]);
  });

  it('has the reason of each hidden rating and who hid it after the upgrade (D122, D160)', async () => {
    const { rows } = await client.query(
      'select id, hidden_reason, hidden_by, removed_at from ratings order by id',
    );
    expect(rows).toEqual([
      { id: rating, hidden_reason: 'An insult.', hidden_by: 'noa', removed_at: null },
      { id: shown, hidden_reason: null, hidden_by: null, removed_at: null },
    ]);
  });
});
