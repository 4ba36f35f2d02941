import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { OpenApi } from '../support/openapi.js';
import { startService } from '../support/service.js';
import { type Attack, anyAttack } from './attacks.js';
import { Cast } from './cast.js';
import { type Answer, Sender } from './sender.js';
import { faultOf } from './verdict.js';

/** `npm run fuzz` sends more; a failure is repeated with the FUZZ_SEED and FUZZ_PATH that it prints. */
const { FUZZ_RUNS = '2000', FUZZ_SEED, FUZZ_PATH, FUZZ_PROGRESS } = process.env;
const attacksInAll = Number(FUZZ_RUNS);
/** Sent at once. */
const volley = 25;
/** Acts of administrators spoil the cast: a fresh one takes over now and then. */
const volleysPerCast = 40;

describe('hostile inputs, made from the zod inputs and the OpenAPI document', () => {
  const service = duringTests(startService);
  const openapi = beforeTests(
    async () => new OpenApi(JSON.parse(await readFile('schema/openapi.json', 'utf8'))),
  );
  const sender = duringTests(() => new Sender(service.client));

  it(
    `get an answer in the documented shape and never a 5xx, ${attacksInAll} times, and the service is well afterwards`,
    async () => {
      const codes = new Map<string, number>();
      let cast = await Cast.assemble(service);
      let volleys = 0;
      const property = fc.asyncProperty(
        fc.array(anyAttack(openapi), { minLength: volley, maxLength: volley }),
        async (attacks) => {
          if (volleys > 0 && volleys % volleysPerCast === 0) cast = await Cast.assemble(service);
          volleys += 1;
          const answers = await Promise.all(attacks.map((attack) => sender.send(attack, cast)));
          for (const [i, answer] of answers.entries()) judge(attacks[i]!, answer);
          for (const { text, headers } of answers) {
            count(codes, refusal.exec(text)?.[1] ?? 'success');
            if (String(headers['content-type']).startsWith('text/event-stream')) count(codes, 'event stream');
          }
          if (FUZZ_PROGRESS) tell(volleys * volley);
        },
      );
      await fc.assert(property, {
        numRuns: Math.ceil(attacksInAll / volley),
        // The state that an attack meets depends on those before it, so the list is not shortened.
        endOnFailure: true,
        ...(FUZZ_SEED && { seed: Number(FUZZ_SEED) }),
        ...(FUZZ_PATH && { path: FUZZ_PATH }),
      });
      if (FUZZ_PROGRESS) process.stderr.write(`\n${summary(codes)}\n`);
      // Attacks that are all rejected by the first check would prove nothing. Some codes are rare in a short run.
      const rare = attacksInAll < 2_000 ? [] : ['INVALID_TRANSITION', 'FORBIDDEN'];
      for (const reached of ['success', 'VALIDATION_FAILED', 'NOT_FOUND', 'event stream', ...rare])
        expect(codes.get(reached) ?? 0).toBeGreaterThan(attacksInAll / 1_000);
      expect((await service.client.request('GET', '/readyz')).status).toBe(200);
      await Cast.assemble(service);
    },
    120_000 + attacksInAll * 40,
  );

  function judge(attack: Attack, answer: Answer): void {
    const fault = faultOf(attack, answer, openapi);
    if (fault)
      throw new Error(`${fault}\n${JSON.stringify(attack)}\n${answer.status} ${answer.text.slice(0, 1_000)}`);
  }
});

/** The error code in a REST or GraphQL response. */
const refusal = /"(?:extensions|error)":\{"code":"([A-Z_]+)"/;
const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);

/** A line that overwrites itself, for those who watch. */
function tell(done: number): void {
  if (done % 1_000 === 0) process.stderr.write(`\r${done} of ${attacksInAll} attacks answered…`);
}

const summary = (codes: Map<string, number>) =>
  [...codes]
    .sort(([, a], [, b]) => b - a)
    .map(([code, times]) => `${String(times).padStart(8)}  ${code}`)
    .join('\n');
