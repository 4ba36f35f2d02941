import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { createApp } from '../../../src/app.js';
import { loadConfig } from '../../../src/config.js';
import { until } from '../../support/mail-server.js';
import { startService } from '../../support/service.js';

describe('the record of a mail (D47)', () => {
  it('is removed after 30 days, by a worker that starts, and not before', async () => {
    const service = await startService();
    for (const [subject, days] of [
      ['old', 31],
      ['young', 29],
    ]) {
      await service.sql(
        `insert into mails (id, created_at, kind, recipient, subject, message_id)
         values (gen_random_uuid(), now() - $2 * interval '1 day', 'a', 'b@example.com', $1, 'c')`,
        [subject, days],
      );
    }
    const settings = { NODE_ENV: 'production', OIDC_ISSUER: 'https://id.example' };
    const log: string[] = [];
    const logger = pino({ level: 'warn' }, { write: (line: string) => void log.push(line) });
    const worker = await createApp(loadConfig(settings), {
      databaseUrl: service.databaseUrl,
      log: logger,
      publicUrl: service.url,
    });
    const left = async () =>
      (await service.sql<{ subject: string }>('select subject from mails')).map(({ subject }) => subject);
    await until(async () => (await left()).length < 2, 'nothing was removed');
    expect(await left()).toEqual(['young']);
    expect(log.join('')).toContain('SMTP_URL is not set');
    await worker.close();
    await service.close();
  });
});
