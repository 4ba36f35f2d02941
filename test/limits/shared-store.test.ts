import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aListing, atOnce, type Developer, unique } from '../support/actors.js';
import { DatabaseLine } from '../support/database-line.js';
import { until } from '../support/mail-server.js';
import { removeOldRowsOf } from '../support/retention.js';
import { type Service, startService } from '../support/service.js';
import { forgedToken, lowLimits, newAddress, sendFrom, statusesOf } from './limited.js';

/** Two gateways on one database. */
let gateways: [Service, Service];
let line: DatabaseLine;
let ada: Developer;
const settings = {
  ...lowLimits,
  RATE_LIMITS: 'install=4,write=5,credentials=50',
  RATE_LIMITS_STORE: 'postgres',
};
beforeAll(async () => {
  const first = await startService(settings, undefined, {
    databaseVia: async (databaseUrl) => {
      line = await DatabaseLine.to(databaseUrl);
      return line.url;
    },
  });
  const second = await startService(settings, undefined, { databaseVia: async () => line.url });
  gateways = [first, second];
  ada = await first.aDeveloper();
});
afterAll(async () => {
  await gateways[1].close();
  await gateways[0].close();
  await line.cut();
});

const install = (gateway: Service, address: string, body?: unknown) =>
  sendFrom(gateway, address, 'POST', '/api/apps/none/install', { body });

describe('two gateways with RATE_LIMITS_STORE=postgres', () => {
  it('count together (D34)', async () => {
    const bearer = await gateways[0].aKey(ada);
    const statuses = [];
    for (let time = 0; time < 6; time += 1) {
      const body = aListing({ name: unique('App') });
      const gateway = gateways[time % 2]!;
      statuses.push(
        (await sendFrom(gateway, newAddress(), 'POST', '/api/dev/apps', { bearer, body })).status,
      );
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
  });

  it('each store which credentials they have accepted (D131)', async () => {
    const address = newAddress();
    const getMe = (gateway: Service, bearer: string) =>
      sendFrom(gateway, address, 'GET', '/api/dev/me', { bearer });
    const guess = (gateway: Service) => getMe(gateway, forgedToken(ada.token));
    for (const gateway of gateways) expect((await getMe(gateway, ada.key)).status).toBe(200);
    await statusesOf(30, () => guess(gateways[0]));
    await statusesOf(31, () => guess(gateways[1]));
    // A gateway learns that the limit is used up at its next charge.
    await guess(gateways[0]);
    const statuses = [];
    for (const gateway of gateways)
      statuses.push((await guess(gateway)).status, (await getMe(gateway, ada.key)).status);
    expect(statuses).toEqual([429, 200, 429, 200]);
  });

  it('count fifty concurrent requests correctly (D34)', async () => {
    const address = newAddress();
    const responses = await atOnce(50, (time) => install(gateways[time % 2]!, address));
    expect(responses.filter(({ status }) => status === 404)).toHaveLength(4);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(46);
  });

  it('delete counts whose window has ended (D88)', async () => {
    const { sql } = gateways[0];
    await sql("update rate_limits set expire = 1 where key like 'install%'");
    await removeOldRowsOf(gateways[0].databaseUrl);
    expect(await sql("select from rate_limits where key like 'install%'")).toEqual([]);
  });

  it('count each on its own while the database is unreachable (D34)', async () => {
    const address = newAddress();
    await line.cut();
    expect(await statusesOf(5, () => install(gateways[0], address, '{'))).toEqual([400, 400, 400, 400, 429]);
    await line.mend();
    await until(
      async () => (await install(gateways[0], newAddress())).status === 404,
      'the gateway has not recovered',
    );
  });
});
