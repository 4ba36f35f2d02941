import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '../../src/embedded-postgres/embedded.js';
import { buildGraphQLSchema } from '../../src/graphql/schema.js';
import { startReceiver, verified } from '../modules/webhooks/receiver.js';
import type { IssuedJson } from '../modules/webhooks/webhooks.js';
import { Actors, type AppJson, type Json, unique } from '../support/actors.js';
import { ApiClient } from '../support/api-client.js';
import { until } from '../support/mail-server.js';
import { type ClusterGateway, startGateway } from './support/gateways.js';
import { pathOf } from './support/programs.js';
import { runFolder } from './support/run-folder.js';

type KeyJson = Json & { key: string };
/** Longest time between two steps of a test on a busy machine. */
const TOLERANCE_MS = 15_000;
const HALF_HOUR_MS = 30 * 60 * 1000;
const KEYS = 10;

/** A gateway and the people who use it. */
interface Side {
  client: ApiClient;
  actors: Actors;
}

describe('two gateways, one of which has a wrong clock (D265, D266)', () => {
  let database: EmbeddedDatabase;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let right: Side;
  const settings = () => ({
    DATABASE_URL: database.url,
    // One issuer of tokens for both.
    PUBLIC_URL: 'http://127.0.0.1:4000',
    RATE_LIMITS: `credentials=${KEYS}`,
    RATE_LIMITS_STORE: 'postgres',
  });
  const sideOf = async ({ url }: ClusterGateway): Promise<Side> => {
    const client = new ApiClient(url, await buildGraphQLSchema());
    return { client, actors: new Actors(client, async () => []) };
  };
  beforeAll(async () => {
    const dataDir = join(runFolder(), 'clocks');
    await mkdir(dataDir);
    await chmod(dataDir, 0o755);
    database = await startEmbeddedDatabase({ dataDir, durable: false });
    receiver = await startReceiver();
    right = await sideOf(await startGateway('clock-right', settings()));
  });
  afterAll(async () => {
    await receiver?.close();
    await database?.stop();
  });

  /** Checks that an act on one gateway is known on the other, with the right time. */
  const check = async (here: Side, there: Side) => {
    await sendsWebhooks(here, there);
    await replacesKeys(here, there);
    await claims(here, there);
    await countsTogether([here, there]);
    await replays(here, there);
  };

  /** The endpoint is created here, and the event happens there right afterwards. */
  const sendsWebhooks = async (here: Side, there: Side) => {
    const developer = await here.actors.aDeveloper();
    const { url, inbox } = receiver.address();
    const { secret } = await here.client.must<IssuedJson>(
      'createWebhookEndpoint',
      { url, events: ['app.submitted'] },
      developer.token,
    );
    const { id } = await there.actors.anApp(developer, 'PENDING');
    const [message] = await until(() => inbox().length > 0 && inbox());
    const { data, timestamp } = verified(secret, message!);
    expect(data).toMatchObject({ app: { id } });
    expect(Math.abs(Date.parse(timestamp) - Date.now())).toBeLessThan(TOLERANCE_MS);
  };

  const replacesKeys = async (here: Side, there: Side) => {
    const developer = await here.actors.aDeveloper();
    const old = await here.actors.anIssuedKey(developer);
    const { key } = await here.client.must<KeyJson>(
      'rotateApiKey',
      { id: old.id, graceHours: 0 },
      developer.token,
    );
    expect(await there.client.call('rest', 'me', {}, key)).toMatchObject({ code: null });
    await until(
      async () => (await there.client.call('rest', 'me', {}, old.key)).code === 'API_KEY_EXPIRED',
      'the former key is still accepted',
      1_000,
    );
  };

  const claims = async (here: Side, there: Side) => {
    const { id } = await here.actors.anApp(await here.actors.aDeveloper(), 'PENDING');
    const [mia, noa] = [await here.actors.anAdministrator(), await there.actors.anAdministrator()];
    const { claim } = await here.client.must<Json & { claim: { until: string } }>(
      'claimReview',
      { id },
      mia.token,
    );
    expect(Math.abs(Date.parse(claim.until) - Date.now() - HALF_HOUR_MS)).toBeLessThan(TOLERANCE_MS);
    const second = await there.client.call('graphql', 'claimReview', { id }, noa.token);
    expect(second.code).toBe('REVIEW_CLAIMED');
  };

  /** A developer creates keys at both gateways in turn. */
  const countsTogether = async (sides: readonly [Side, Side]) => {
    const { token } = await sides[0].actors.aDeveloper();
    const input = { name: 'A key', scopes: ['APP_READ'] };
    const codes = [];
    for (let time = 0; time < KEYS + 2; time += 1)
      codes.push((await sides[time % 2]!.client.call('rest', 'createApiKey', input, token)).code);
    expect(codes.slice(0, KEYS / 2)).toEqual(Array(KEYS / 2).fill(null));
    expect(codes.slice(-2)).toEqual(['RATE_LIMITED', 'RATE_LIMITED']);
  };

  const replays = async (here: Side, there: Side) => {
    const developer = await here.actors.aDeveloper();
    const app: AppJson = await here.actors.anApp(developer, 'APPROVED');
    const request = {
      body: { installationId: unique('installation') },
      headers: { 'idempotency-key': crypto.randomUUID() },
    };
    const path = `/api/apps/${app.slug}/install`;
    expect((await here.client.request('POST', path, request)).status).toBe(201);
    const again = await there.client.request('POST', path, request);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  };

  it.each([30, -30, 600, -600])('agree with a difference of %d s', async (seconds) => {
    const gateway = await startGateway('clock-wrong', {
      ...settings(),
      LD_PRELOAD: pathOf('libfaketime.so.1'),
      FAKETIME: `${seconds > 0 ? '+' : ''}${seconds}`,
    });
    try {
      const wrong = await sideOf(gateway);
      const response = await wrong.client.request('GET', '/livez');
      const shown = Date.parse(response.headers.get('date') ?? '') - Date.now();
      expect(Math.abs(shown - seconds * 1000)).toBeLessThan(TOLERANCE_MS);
      await check(wrong, right);
      await check(right, wrong);
    } finally {
      await gateway.program().end();
    }
  });
});
