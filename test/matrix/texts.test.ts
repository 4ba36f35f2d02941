import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { operations } from '../../src/contract.js';
import type { AnyOperation } from '../../src/operations/operation.js';
import { type Api, apis, type Input, type Outcome } from '../support/api-client.js';
import { beforeTests } from '../support/before-tests.js';
import { leastCpuMs, maxMs } from '../support/cpu.js';
import { type InputField, textsOf, unwrapped } from '../support/input-fields.js';
import { unknownId } from '../support/matchers.js';
import { sharedService } from '../support/service.js';

/**
 * No text costs more than 100 ms of processor time (D100): tested for every string of every input, over REST and GraphQL.
 * Combining marks are the most expensive characters to normalise.
 */
const service = beforeTests(sharedService);
const ada = beforeTests(() => service.aDeveloper());

const mark = '\u0301';
/** Pairs of marks that normalisation has to reorder. */
const unordered = (length: number) => '\u0315\u0300'.repeat(length / 2);
/** The start that a text of a format needs, so that the rest is checked. */
const starts: Readonly<Record<string, string>> = { uri: 'https://example.com/', email: 'ada@' };

/** Returns a value that is valid for GraphQL's types. */
function sample(schema: z.ZodType): unknown {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodEnum) return inner.options[0];
  if (inner instanceof z.ZodNumber) return 1;
  if (inner instanceof z.ZodBoolean) return true;
  if (inner instanceof z.ZodArray) return [sample(inner.element as z.ZodType)];
  if (inner instanceof z.ZodObject) return sampleObject(inner);
  return inner.meta()?.format === 'uuid' ? unknownId : 'text';
}

const sampleObject = ({ shape }: z.ZodObject): Input =>
  Object.fromEntries(
    Object.entries<z.ZodType>(shape)
      .filter(([, field]) => !field.safeParse(undefined).success)
      .map(([name, field]) => [name, sample(field)]),
  );

/** Returns the input with another value at a path. */
function withValue(input: unknown, [name, ...rest]: string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (name === '0') return [withValue((input as unknown[] | undefined)?.[0], rest, value)];
  const object = (input ?? {}) as Input;
  return { ...object, [name]: withValue(object[name], rest, value) };
}

/** Ids and slugs with such a value match nothing; other fields are rejected by name. */
const isIdentifier = ({ path, schema }: InputField) =>
  schema.meta()?.format === 'uuid' || path.at(-1) === 'slug';

const table = operations.flatMap(([name, operation]) =>
  textsOf(operation.input).map((text) => ({ name, operation, text, field: text.path.join('.') })),
);
const bearerFor = ({ policy }: AnyOperation) => (policy.kind === 'admin' ? service.admin() : ada.token);

async function call(api: Api, { name, operation, text }: (typeof table)[number], value: string) {
  const [field = ''] = text.path;
  const input = { ...sampleObject(operation.input), [field]: sample(operation.input.shape[field]) };
  const takesKeys = api === 'rest' && name !== 'registerDeveloper';
  const sent = withValue(input, text.path, value) as Input;
  return service.client.call(api, name, sent, takesKeys ? ada.key : await bearerFor(operation));
}

/** Returns a length that fits into the request: over REST, path and query have 16 KiB at most. */
function fittingLength(api: Api, { operation, text }: (typeof table)[number], length: number): number {
  const [method, path] = (operation.rest ?? ' ').split(' ') as [string, string];
  const isInUrl = api === 'rest' && (method === 'GET' || path.includes(`:${text.path[0]}`));
  return isInUrl ? Math.min(length, 2_000) : length;
}

function expectRejected({ code, details }: Outcome, row: (typeof table)[number]): void {
  // A request for a stream has at most 8 KiB (D144).
  if (row.operation.kind === 'subscription' && code === 'PAYLOAD_TOO_LARGE') return;
  if (isIdentifier(row.text)) return void expect(['NOT_FOUND', 'VALIDATION_FAILED', null]).toContain(code);
  expect({ code, fields: details.map(({ field }) => field) }).toMatchObject({
    code: 'VALIDATION_FAILED',
    fields: expect.arrayContaining([row.field]),
  });
}

it('the table has every text of the contract', () => {
  expect(table.length).toBeGreaterThan(90);
});

describe.each(apis)('over %s', (api) => {
  const here = table.filter(({ operation }) => api === 'graphql' || operation.rest);

  it.each(here)('60,000 combining marks in $field of $name are rejected quickly (D100)', async (row) => {
    const outcome = await call(api, row, mark.repeat(fittingLength(api, row, 60_000)));
    expectRejected(outcome, row);
    const ms = await leastCpuMs(() => call(api, row, unordered(fittingLength(api, row, 60_000))));
    expect(ms).toBeLessThan(maxMs);
  });

  it.each(here.filter(({ text }) => !isIdentifier(text)))(
    'as many combining marks as are checked, after a letter, in $field of $name are rejected quickly (D100)',
    async (row) => {
      const limit = Number(row.text.schema.meta()?.maxLength ?? 1_000);
      const marks = unordered(fittingLength(api, row, 4 * limit - 20));
      const start = starts[String(row.text.schema.meta()?.format)] ?? 'x';
      expectRejected(await call(api, row, start + marks), row);
      expect(await leastCpuMs(() => call(api, row, start + marks))).toBeLessThan(maxMs);
    },
  );
});

describe('a text outside of an input', () => {
  it('days of a series are rejected quickly (D100)', async () => {
    const { id } = await service.anApp(ada);
    const query = `query ($id: ID!, $from: String!) {
      appAnalytics(id: $id) { series(metric: INSTALLS, from: $from, to: "2026-01-31") { date } } }`;
    const send = () => service.client.graphql(query, { id, from: unordered(60_000) }, ada.token);
    expect((await send()).errors?.[0]?.extensions.code).toBe('VALIDATION_FAILED');
    expect(await leastCpuMs(send)).toBeLessThan(maxMs);
  });

  it('fields of the development token are rejected quickly (D100)', async () => {
    for (const field of ['accountUserId', 'email', 'name']) {
      const body = { accountUserId: 'ada', [field]: unordered(30_000) };
      const send = () => service.client.request('POST', '/dev/token', { body });
      expect((await send()).status).toBe(400);
      expect(await leastCpuMs(send)).toBeLessThan(maxMs);
    }
  });

  const long = 12_000;
  it.each([
    ['idempotency-key', 'x'.repeat(long)],
    ['idempotency-key', ' \t'.repeat(long / 2)],
    ['if-match', '"1",'.repeat(long / 4)],
    ['if-match', `"${' '.repeat(long)}`],
    ['if-none-match', 'W/"x",'.repeat(long / 6)],
    ['x-request-id', 'a'.repeat(long)],
    ['authorization', `Bearer ${' '.repeat(long)}x`],
    ['authorization', `Bearer mkt_${'0'.repeat(long)}`],
    ['authorization', `Bearer ${'eyJ.'.repeat(long / 4)}`],
    ['accept', 'text/html;q=0.5,'.repeat(long / 16)],
    ['accept', `application/json${';a=b'.repeat(long / 4)}`],
    ['accept-encoding', 'gzip;q=0,'.repeat(long / 9)],
    ['content-type', `application/json;${' '.repeat(long)}charset`],
    ['content-type', `application/json;charset=${'"'.repeat(long)}`],
    ['content-type', `application/json${';a=b'.repeat(long / 4)}`],
    ['origin', `https://${'a.'.repeat(long / 2)}`],
    ['x-forwarded-for', '1.1.1.1,'.repeat(long / 8)],
    ['x-forwarded-for', 'a:'.repeat(long / 2)],
    ['forwarded', 'for=1.1.1.1;'.repeat(long / 12)],
  ])('a long %s header is processed quickly (D100)', async (header, value) => {
    for (const [method, path, body] of [
      ['POST', '/api/dev/apps', '{}'],
      ['POST', '/api/apps/none/install', '{}'],
      ['PUT', `/api/dev/apps/${unknownId}`, '{}'],
      ['GET', '/api/apps', undefined],
      ['POST', '/graphql', '{"query":"{ categories { count } }"}'],
    ] as const) {
      const headers = { 'content-type': 'application/json', [header]: value };
      const send = async () => {
        const response = await service.client.request(method, path, { bearer: null, body, headers });
        expect(response.status).toBeLessThan(500);
        await response.arrayBuffer();
      };
      expect(await leastCpuMs(send)).toBeLessThan(maxMs);
    }
  });

  it.each(['search', 'page', 'category', 'sort', 'limit', 'unknown'])(
    'a long query parameter %s is processed quickly (D100)',
    async (name) => {
      for (const value of [
        '9'.repeat(long),
        '%CC%81'.repeat(long / 6),
        '-'.repeat(long),
        '%2C'.repeat(long / 3),
      ]) {
        const send = async () =>
          void (await (await service.client.request('GET', `/api/apps?${name}=${value}`)).arrayBuffer());
        expect(await leastCpuMs(send)).toBeLessThan(maxMs);
      }
      const many = `${name}=1&`.repeat(long / (name.length + 3));
      const send = async () =>
        void (await (await service.client.request('GET', `/api/apps?${many}`)).arrayBuffer());
      expect(await leastCpuMs(send)).toBeLessThan(maxMs);
    },
  );
});
