import { describe, expect, it } from '@jest/globals';
import type { Input } from '../support/api-client.js';
import { duringTests } from '../support/before-tests.js';
import { leastCpuMs, maxMs } from '../support/cpu.js';
import { times } from './documents.js';
import { GraphQLClient, postRequest } from './graphql-client.js';

const client = duringTests(() => GraphQLClient.start());

describe('variables with thousands of problems', () => {
  const createApp = 'mutation ($input: CreateAppInput!) { createApp(input: $input) { id } }';
  const valid = { name: 'x', description: 'x', category: 'OTHER', environment: 'staging' };
  const many = (count: number, name: (index: number) => string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), 1]));
  const attacks: [attack: string, query: string, variables: Input][] = [
    ['wrong items', createApp, { input: { ...valid, screenshots: Array(20_000).fill(1) } }],
    ['wrong objects', createApp, { input: { ...valid, screenshots: Array(20_000).fill({ x: 1 }) } }],
    ['empty objects', createApp, { input: { ...valid, screenshots: Array(60_000).fill({}) } }],
    ['nulls', createApp, { input: { ...valid, screenshots: Array(50_000).fill(null) } }],
    ['unknown fields', createApp, { input: many(2_500, (index) => `f${index}`.padEnd(90, 'x')) }],
    ['unknown short fields', createApp, { input: many(20_000, (index) => `f${index}`) }],
    [
      'a long value beside unknown fields',
      createApp,
      { input: { ...many(60, (index) => `f${index}`), name: 'y'.repeat(200_000) } },
    ],
    ['a long name of a field', createApp, { input: { ...valid, ['z'.repeat(200_000)]: 1 } }],
    [
      'a long value of an enum',
      'query ($sort: AppSort) { browseApps(sort: $sort) { apps { id } } }',
      { sort: 'a'.repeat(200_000) },
    ],
    [
      'wrong values of many variables',
      `query (${times(600, (index) => `$v${index}: Int`)}) { __typename ${times(40, (index) => `a${index}: browseApps(page: $v${index}) { apps { id } }`)} }`,
      many(600, (index) => `v${index}`),
    ],
  ];

  it.each(attacks)(
    'are rejected with 50 problems at most, quickly and in a short response: %s (D100)',
    async (_, query, variables) => {
      const send = async () => {
        const { status, body, text } = await client.sendRejected(postRequest(query, variables));
        expect(status).toBe(400);
        expect(new Set(body.errors!.map(({ extensions }) => extensions.code))).toEqual(
          new Set(['VALIDATION_FAILED']),
        );
        expect(body.errors!.flatMap(({ extensions }) => extensions.details).length).toBeLessThanOrEqual(50);
        expect(text.length).toBeLessThan(64 * 1024);
      };
      // Five times, so that a compiled document is measured as well.
      for (let time = 0; time < 5; time += 1) expect(await leastCpuMs(send)).toBeLessThan(maxMs);
    },
  );

  it('are counted in the message, or there are more than 50 (D100, D137)', async () => {
    const messageFor = async (screenshots: unknown[]) =>
      (await client.sendRejected(postRequest(createApp, { input: { ...valid, screenshots } }))).body
        .errors![0]!.message;
    expect(await messageFor([1])).toBe('The variables are not valid: they have one problem, see details.');
    expect(await messageFor(Array(50).fill(1))).toMatch(/they have 50 problems/);
    expect(await messageFor(Array(51).fill(1))).toMatch(/they have more than 50 problems/);
  });
});

describe('a wrong value of an enum', () => {
  const codes =
    'INCOMPLETE, MISLEADING, BROKEN_LINK, IMAGE_QUALITY, INAPPROPRIATE, DUPLICATE, SECURITY, POLICY, OTHER';
  const reject = 'mutation ($input: RejectAppInput!) { rejectApp(id: "x", input: $input) { id } }';
  const inputWith = (code: unknown) => ({ input: { revision: 1, guidance: 'x', reasons: [{ code }] } });
  const inline = (code: string) =>
    `mutation { rejectApp(id: "x", input: { revision: 1, guidance: "x", reasons: [{ code: ${code} }] }) { id } }`;

  it.each<[where: string, query: string, variables: Input]>([
    ['in a variable', reject, inputWith('BLURRED')],
    ['in a variable, almost right', reject, inputWith('BROKEN_LINKS')],
    ['of another type in a variable', reject, inputWith(7)],
    ['in the document', inline('BLURRED'), {}],
    ['in the document, as a string', inline('"OTHER"'), {}],
  ])('%s is refused with the right ones (D177)', async (_, query, variables) => {
    const { body } = await client.sendRejected(postRequest(query, variables));
    const [detail] = body.errors![0]!.extensions.details;
    expect(detail?.field).toMatch(/code$/);
    expect(detail?.message).toMatch(new RegExp(`\\. Use one of ${codes}\\.$`));
  });
});
