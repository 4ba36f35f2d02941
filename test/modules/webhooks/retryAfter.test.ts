import { describe, expect, it } from '@jest/globals';
import { beforeTests } from '../../support/before-tests.js';
import { status } from './receiver.js';
import { patientWebhooks } from './webhooks.js';

const hooks = beforeTests(patientWebhooks);

const secondMs = 1000;
const hourMs = 3600 * secondMs;
/** The pause of these tests without the header. */
const ownMs = 60 * secondMs;

/** Returns the pause after a response with this header. */
async function pauseAfter(retryAfter: string): Promise<number> {
  const { ada, id } = await hooks.anEndpoint({
    answer: status(503, '', { 'retry-after': retryAfter }),
    events: ['app.submitted'],
  });
  await hooks.anEvent(ada);
  const { nextAttemptAt } = await hooks.delivery(ada, id, ({ attemptCount }) => attemptCount === 1);
  return new Date(nextAttemptAt ?? 0).getTime() - Date.now();
}

describe('a receiver that responds with Retry-After (D53)', () => {
  it.each([
    ['seconds', () => '7200', 2 * hourMs],
    ['a date', () => new Date(Date.now() + 3 * hourMs).toUTCString(), 3 * hourMs],
    ['more than ten hours', () => '999999999', 10 * hourMs],
    ['a date years ahead', () => 'Fri, 01 Jan 2100 00:00:00 GMT', 10 * hourMs],
    ['less than the own pause', () => '1', ownMs],
    ['a date in the past', () => 'Sat, 01 Jan 2000 00:00:00 GMT', ownMs],
    ['nonsense', () => 'soon', ownMs],
    ['a negative number', () => '-5', ownMs],
  ])('%s', async (_, header, expectedMs) => {
    const pauseMs = await pauseAfter(header());
    expect(pauseMs).toBeLessThanOrEqual(expectedMs);
    expect(pauseMs).toBeGreaterThan(expectedMs - 30 * secondMs);
  });

  it('is not tried again after the last attempt', async () => {
    const address = hooks.receiver.address(status(503, '', { 'retry-after': '7200' }));
    const ada = await hooks.service.anUnverifiedDeveloper();
    const { id } = await hooks.endpoint(ada, { url: address.url });
    await hooks.service.client.must('testWebhookEndpoint', { id }, ada.token);
    expect(await hooks.delivery(ada, id, (each) => each.status === 'FAILED')).toMatchObject({
      attemptCount: 1,
      nextAttemptAt: null,
    });
  });
});
