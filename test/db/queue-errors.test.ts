import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Jobs } from '../../src/jobs.js';
import { createTestLog } from '../server/test-log.js';
import { createTestDatabase } from '../support/database.js';
import { DatabaseLine } from '../support/database-line.js';
import { until } from '../support/mail-server.js';

interface ErrorLine {
  time: number;
  msg: string;
  err?: { type: string; message: string; code?: string };
}

describe('the log of the job queue without the database', () => {
  it('names the error, and repeats it at most every ten seconds', async () => {
    const database = await createTestDatabase();
    const line = await DatabaseLine.to(database.url);
    const { log, text } = createTestLog();
    const jobs = await Jobs.open(line.url, log, { works: true });
    const reported = () =>
      text()
        .split('\n')
        .filter((each) => each !== '')
        .map((each) => JSON.parse(each) as ErrorLine)
        .filter(({ msg }) => msg === 'the job queue reports an error');
    try {
      for (const queue of ['notifications', 'mail-digests', 'asset-checks'] as const)
        await jobs.work(queue, async () => undefined);
      await line.cut();
      const refused = () => reported().filter(({ err }) => err?.code === 'ECONNREFUSED');
      await until(
        () => refused().length > 0,
        () => `it reports no refused connection: ${text()}`,
      );
      // Several polls of each queue.
      await delay(1_500);
      expect(refused()[0]?.err).toMatchObject({
        type: 'Error',
        message: expect.stringContaining('ECONNREFUSED'),
      });
      const last = new Map<string, number>();
      for (const { err, time } of reported()) {
        // Whichever worker of the queue reports it.
        const message = err?.message.replace(/ \(Queue.*$/, '') ?? '';
        expect([message, time - (last.get(message) ?? 0) > 9_000]).toEqual([message, true]);
        last.set(message, time);
      }
    } finally {
      await line.mend();
      await jobs.close();
      await line.cut();
      await database.drop();
    }
  });
});
