import { afterAll, beforeAll } from '@jest/globals';
import { beforeTests } from '../support/before-tests.js';
import { buildOnce, createTestDatabase } from '../support/database.js';
import { aFolder } from '../support/folder.js';
import { type Gateway, startGateway } from './gateway.js';

/** Starts gateways on one database and one DATA_DIR, and kills them after the tests of this file. */
export function gatewaysOnOneDatabase(defaults: Record<string, string> = {}) {
  // It may have to build first.
  beforeAll(buildOnce, 120_000);
  const database = beforeTests(createTestDatabase);
  const folder = beforeTests(async () => ({ path: await aFolder('gateways ') }));
  const running: Gateway[] = [];
  afterAll(async () => {
    for (const gateway of running) await gateway.end('SIGKILL');
    await database.drop();
  });
  const start = (settings: Record<string, string>) => {
    const own = { PORT: '0', DATABASE_URL: database.url, DATA_DIR: folder.path };
    const gateway = startGateway({ ...own, ...defaults, ...settings });
    running.push(gateway);
    return gateway;
  };
  return { database, start };
}
