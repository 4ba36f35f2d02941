import { describe, it } from '@jest/globals';
import fc from 'fast-check';
import { duringTests } from '../support/before-tests.js';
import { startService } from '../support/service.js';
import { anySequence } from './acts.js';
import { Player } from './player.js';

/** More with MODEL_RUNS; a failure is repeated with the MODEL_SEED and MODEL_PATH that it prints. */
const { MODEL_RUNS = '100', MODEL_SEED, MODEL_PATH } = process.env;
const runs = Number(MODEL_RUNS);

describe('the marketplace', () => {
  const service = duringTests(startService);

  it(
    'answers whatever developers, administrators and visitors do as the contract says, over REST or GraphQL',
    async () => {
      const player = new Player(service);
      const property = fc.asyncProperty(anySequence, (sequence) => player.play(sequence));
      const result = await fc.check(property, {
        numRuns: runs,
        ...(MODEL_SEED && { seed: Number(MODEL_SEED) }),
        ...(MODEL_PATH && { path: MODEL_PATH }),
      });
      if (!result.failed) return;
      throw new Error(
        [
          `Repeat it with MODEL_SEED=${result.seed} MODEL_PATH=${result.counterexamplePath}`,
          await fc.asyncDefaultReportMessage(result),
          result.errorInstance instanceof Error ? result.errorInstance.message : '',
        ].join('\n'),
      );
    },
    60_000 + runs * 2_000,
  );
});
