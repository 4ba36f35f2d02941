import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, importJWK, type JWK, SignJWT } from 'jose';
import { atOnce, type Json } from '../support/actors.js';
import { apis } from '../support/api-client.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { connectTo } from '../support/database.js';
import { aFolder } from '../support/folder.js';
import { type Service, startService } from '../support/service.js';
import { startServiceOnLine } from '../support/service-on-line.js';
import { type Forgeries, forgedKeys } from './forged-keys.js';
import { forgedTokens } from './forged-tokens.js';

type Issued = Json & { key: string; maskedKey: string };

const dayMs = 24 * 60 * 60 * 1000;
let folder: string;
let jwk: JWK;
const service = duringTests(async () => {
  folder = await aFolder();
  return startServiceOnLine({ DATA_DIR: folder, DATABASE_POOL: '60' });
});
const line = beforeTests(() => service.line);
/** A second node on the same database. */
const node = beforeTests(() => startService({}, undefined, { databaseVia: async () => service.databaseUrl }));
const ada = beforeTests(() => service.aDeveloper());
const issued = beforeTests(async () => (await service.anIssuedKey(ada)) as Issued);
beforeAll(async () => {
  jwk = JSON.parse(await readFile(join(folder, 'dev-issuer-key.json'), 'utf8'));
});

const me = (bearer: string, at: Service = service) => at.call('me', {}, bearer);

/** Returns the service's result for each credential, sent a few at a time. */
async function answersTo(bearers: readonly string[]): Promise<Map<string, string[]>> {
  const answers = new Map<string, string[]>();
  const waiting = [...bearers];
  const ask = async () => {
    for (let bearer = waiting.pop(); bearer !== undefined; bearer = waiting.pop()) {
      const response = await service.client.request('POST', '/graphql', {
        headers: { authorization: `Bearer ${bearer}` },
        body: { query: '{ me { id } }' },
      });
      const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] };
      const code = errors?.[0]?.extensions.code ?? 'ACCEPTED';
      answers.set(code, [...(answers.get(code) ?? []), bearer]);
    }
  };
  await Promise.all(Array.from({ length: 16 }, ask));
  return answers;
}

describe('forged credentials', () => {
  const forged: Forgeries = {};
  beforeAll(async () => {
    Object.assign(forged, forgedKeys(issued.key, issued.maskedKey), await forgedTokens(ada.token, jwk));
    // A mutation that changes nothing is not a forgery.
    for (const [kind, list] of Object.entries(forged))
      forged[kind] = [...new Set(list)].filter((bearer) => ![issued.key, ada.token].includes(bearer));
  });

  it('of more than 25 kinds, more than 1,000 in all, are rejected (D8, D92)', async () => {
    expect(Object.keys(forged).length).toBeGreaterThanOrEqual(25);
    expect(Object.values(forged).flat().length).toBeGreaterThanOrEqual(1000);
    expect([(await me(issued.key)).code, (await me(ada.token)).code]).toEqual([null, null]);
    const wrongly: Record<string, object> = {};
    for (const [kind, bearers] of Object.entries(forged)) {
      const {
        INVALID_API_KEY = [],
        INVALID_TOKEN: _,
        ...others
      } = Object.fromEntries(await answersTo(bearers));
      const asKeys = bearers.filter((bearer) => bearer.startsWith('mkt_'));
      if (bearers.length === 0 || Object.keys(others).length > 0 || INVALID_API_KEY.length !== asKeys.length)
        wrongly[kind] = { forged: bearers.length, ...others };
    }
    expect(wrongly).toEqual({});
    expect([(await me(issued.key)).code, (await me(ada.token)).code]).toEqual([null, null]);
  });

  it('are rejected by REST with a challenge, before anything else is checked (D7)', async () => {
    for (const [kind, [bearer = '']] of Object.entries(forged)) {
      const response = await service.client.request('POST', '/api/dev/api-keys', {
        headers: { authorization: `Bearer ${bearer}` },
        body: { name: '' },
      });
      expect([kind, response.status]).toEqual([kind, 401]);
      expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
    }
  });
});

const saying = async (claims: object, header: object = {}) =>
  new SignJWT({ ...decodeJwt(ada.token), ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: jwk.kid!, ...header })
    .sign(await importJWK(jwk, 'ES256'));
const now = () => Math.floor(Date.now() / 1000);

describe('account tokens', () => {
  it.each<[what: string, claims: () => object, header: object]>([
    ['over for less than 30 seconds', () => ({ exp: now() - 20 }), {}],
    ['valid in less than 30 seconds', () => ({ nbf: now() + 20 }), {}],
    ['made in less than 30 seconds', () => ({ iat: now() + 20 }), {}],
    ['without a type', () => ({}), {}],
    ['for several audiences, this one too', () => ({ aud: ['other', 'marketplace-gateway'] }), {}],
    ['of type JWT', () => ({}), { typ: 'JWT' }],
    [
      'of type at+jwt in its long form, whatever its nonce',
      () => ({ nonce: 'n' }),
      { typ: 'application/AT+JWT' },
    ],
    ['what Keycloak calls Bearer, whatever its nonce', () => ({ typ: 'Bearer', nonce: 'n' }), { typ: 'JWT' }],
    ['what Cognito calls access', () => ({ token_use: 'access' }), { typ: 'JWT' }],
    [
      'telling an address of keys, which nobody follows',
      () => ({}),
      { jku: 'http://127.0.0.1:9/', x5u: 'http://127.0.0.1:9/' },
    ],
  ])('are accepted when one is %s (D92)', async (_, claims, header) => {
    expect((await me(await saying(claims(), header))).code).toBeNull();
  });
});

describe('account tokens that are off by more than 30 seconds', () => {
  it.each([
    ['exp', -40],
    ['nbf', 40],
    ['iat', 40],
  ])('are refused: %s by %i (D92)', async (claim, seconds) => {
    const token = await saying({ [claim]: now() + seconds });
    expect((await me(token)).code).toBe('INVALID_TOKEN');
  });
});

describe('API keys', () => {
  const timeOf = async (id: string, days: number) => {
    const end = new Date(Date.now() + days * dayMs);
    await service.sql('update api_keys set expires_at = $2 where id = $1', [id, end]);
    return end.toISOString();
  };

  it.each(apis)('announce their expiry over %s when less than 14 days are left (D94)', async (api) => {
    const { id, key } = await service.anIssuedKey(ada);
    const header = async () =>
      (await service.client.call(api, 'me', {}, key)).headers.get('x-api-key-expires');
    expect(await header()).toBeNull();
    await timeOf(id, 14.01);
    expect(await header()).toBeNull();
    expect([await timeOf(id, 13.99)]).toEqual([await header()]);
    const refused = await service.client.call(api, 'updateMe', { name: '' }, key);
    expect(refused.headers.get('x-api-key-expires')).not.toBeNull();
    expect((await service.client.call(api, 'browseApps', {}, key)).headers.has('x-api-key-expires')).toBe(
      false,
    );
    expect((await me(ada.token)).headers.has('x-api-key-expires')).toBe(false);
  });

  it('are looked up with one query, and malformed keys with none (D11)', async () => {
    await me(issued.key);
    const statementsFor = async (bearer: string) => {
      let status = 0;
      const heard = await line.listenIn(async () => {
        ({ status } = await service.client.call('rest', 'myApiKeys', {}, bearer));
      });
      // Statements of background tasks do not belong to this request.
      return { status, texts: heard.filter((text) => /^\s*select.*"?\b(api_keys|developers)\b/s.test(text)) };
    };
    const { texts } = await statementsFor(issued.key);
    const typo = await statementsFor(issued.key.slice(0, -1) + (issued.key.endsWith('0') ? '1' : '0'));
    expect(texts).toHaveLength(2);
    expect(texts[0]).toMatch(/from api_keys k join developers d/);
    expect(typo).toEqual({ status: 401, texts: [] });
    const planner = await connectTo(service.databaseUrl);
    // The planner would scan a table of a few rows; this checks that an index exists.
    await planner.query('set enable_seqscan = off');
    const { rows } = await planner.query<{ 'QUERY PLAN': string }>(
      "explain select from api_keys k join developers d on d.id = k.developer_id where k.hash = '\\x00'",
    );
    await planner.end();
    expect(rows.map((line) => line['QUERY PLAN']).join('\n')).toMatch(/Index.*Scan using api_keys_hash_key/);
  });

  it('that are revoked are rejected by the next request on every node (D10)', async () => {
    const { id, key } = await service.anIssuedKey(ada);
    expect((await me(key, node)).code).toBeNull();
    await service.must('revokeApiKey', { id }, ada.token);
    expect([(await me(key, node)).code, (await me(key)).code]).toEqual([
      'API_KEY_REVOKED',
      'API_KEY_REVOKED',
    ]);
  });

  it('have their last use recorded once a minute, on two nodes and under load (D11)', async () => {
    await service.sql('create table uses (id uuid, at timestamptz)');
    await service.sql(`create function note_use() returns trigger language plpgsql as $$
      begin insert into uses values (new.id, new.last_used_at); return new; end $$`);
    await service.sql(
      'create trigger uses after update of last_used_at on api_keys for each row execute function note_use()',
    );
    const keys = await atOnce(10, () => service.anIssuedKey(ada));
    const ids = keys.map(({ id }) => id);
    // Both nodes must read every key as unused before either of them writes.
    const gate = await connectTo(service.databaseUrl);
    await gate.query('begin; lock table api_keys in share mode');
    try {
      const rounds = Array.from({ length: 10 }, () => keys).flat();
      const answers = await Promise.all(rounds.flatMap(({ key }) => [me(key, node), me(key)]));
      expect(answers.filter(({ code }) => code !== null)).toEqual([]);
    } finally {
      await gate.end();
    }
    const unused = 'select id from api_keys where id = any($1) and last_used_at is null';
    while ((await service.sql(unused, [ids])).length > 0) for (const { key } of keys) await me(key);
    // A node writes its pending updates before it stops.
    await node.close();
    expect(await service.sql('select id from uses where id = any($1)', [ids])).toHaveLength(10);
  });

  it('have a use recorded by the next one, if it could not be written (D11)', async () => {
    const { id, key } = await service.anIssuedKey(ada);
    await service.sql('create sequence attempts');
    await service.sql(`create function fail_once() returns trigger language plpgsql as $$
      begin if nextval('attempts') = 1 then raise exception 'not now'; end if; return new; end $$`);
    await service.sql(
      `create trigger fails before update of last_used_at on api_keys for each row when (old.id = '${id}') execute function fail_once()`,
    );
    const used = 'select last_used_at from api_keys where id = $1 and last_used_at is not null';
    while ((await service.sql(used, [id])).length === 0) expect((await me(key)).code).toBeNull();
    const [attempts] = await service.sql<{ last_value: string }>('select last_value from attempts');
    expect(Number(attempts?.last_value)).toBe(2);
    await service.sql('drop trigger fails on api_keys');
  });

  it('work while their row is locked: no request waits for recording the use (D11)', async () => {
    const { id, key } = await service.anIssuedKey(ada);
    await using change = await connectTo(service.databaseUrl);
    await change.query('begin');
    await change.query('select from api_keys where id = $1 for update', [id]);
    expect((await me(key)).code).toBeNull();
    expect((await me(issued.key)).code).toBeNull();
  });
});
