import { afterEach, expect, it, jest } from '@jest/globals';
import { rateLimits } from '../../src/config/formats.js';
import { LeasedPoints } from '../../src/limits/leased-points.js';
import { PointCounts } from '../../src/limits/point-counts.js';

afterEach(() => void jest.restoreAllMocks());

it('a window of several processes lasts a minute, also when the clock of the machine is set back (D255)', async () => {
  const counts = new PointCounts(rateLimits.parse('write=1')!);
  const points = new LeasedPoints('write', async (...input) => counts.take(...input));
  await points.consume('ada');
  const yesterday = Date.now() - 86_400_000;
  jest.spyOn(Date, 'now').mockReturnValue(yesterday);
  const rejection = await points.consume('ada').catch((error: unknown) => error);
  expect((rejection as { msBeforeNext: number }).msBeforeNext).toBeLessThanOrEqual(60_000);
  expect(counts.take('write', 'ada', 1).msBeforeNext).toBeLessThanOrEqual(60_000);
});
