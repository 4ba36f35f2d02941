import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { InstallBatcher } from '../../../src/modules/installs/install-batcher.service.js';

/** A program that installs one app forever with 64 callers, and prints each install once it is acknowledged. */
const [, , databaseUrl = '', slug = ''] = process.argv;
const batch = new InstallBatcher(databaseUrl, pino({ level: 'silent' }));

async function install(): Promise<never> {
  for (;;) {
    const id = randomUUID();
    await batch.record({ id, slug, installationId: id, accountUserId: null, version: null });
    process.stdout.write(`${id}\n`);
  }
}

await Promise.all(Array.from({ length: 64 }, install));
