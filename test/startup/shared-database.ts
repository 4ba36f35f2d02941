import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { beforeTests } from '../support/before-tests.js';
import { buildOnce, createTestDatabase } from '../support/database.js';
import { type Gateway, startGateway } from './gateway.js';

/** Starts gateways on one database and one DATA_DIR, and kills them after the tests of this file. */
export function gatewaysOnOneDatabase(defaults: Record<string, string> = {}) {
  // It may have to build first.
  beforeAll(buildOnce, 120_000);
  const database = beforeTests(createTestDatabase);
  const folder = beforeTests(async () => ({ path: await mkdtemp(join(tmpdir(), 'gateways ')) }));
  const running: Gateway[] = [];
  afterAll(async () => {
    for (const gateway of running) {
      gateway.process.kill('SIGKILL');
      await gateway.ended;
    }
    await database.drop();
    await rm(folder.path, { recursive: true, force: true });
  });
  const start = (settings: Record<string, string>) => {
    const own = { PORT: '0', DATABASE_URL: database.url, DATA_DIR: folder.path };
    const gateway = startGateway({ ...own, ...defaults, ...settings });
    running.push(gateway);
    return gateway;
  };
  return { database, start };
}
