import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { OperationName } from '../../src/contract.js';
import { contract, operations } from '../../src/contract.js';
import { maxItemsOf } from '../../src/operations/problems.js';
import { aListing, aRejection } from '../support/actors.js';
import { apis, type Input } from '../support/api-client.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { leastCpuMs, maxMs } from '../support/cpu.js';
import { unknownId } from '../support/matchers.js';
import { expectError } from '../support/outcomes.js';
import { startService } from '../support/service.js';

interface ErrorBody {
  error: { code: string; message: string; details: { field: string; code: string }[] };
}

const service = duringTests(startService);
const ada = beforeTests(() => service.aDeveloper());

/** Returns the lists in a schema, also nested ones, whose length is not checked. */
function nestedLists(schema: z.ZodType): z.ZodArray[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return nestedLists(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray) return [schema, ...nestedLists(schema.element as z.ZodType)];
  if (schema instanceof z.ZodObject) return Object.values<z.ZodType>(schema.shape).flatMap(nestedLists);
  return [];
}

const lists = operations.flatMap(([name, { input }]) =>
  Object.entries<z.ZodType>(input.shape).flatMap(([field, schema]) => {
    const nested = nestedLists(schema);
    return nested.length > 0 ? [{ name, field, max: maxItemsOf(schema), nested: nested.length }] : [];
  }),
);

/** Valid values for the other fields of an input. */
const otherFields: Partial<Record<OperationName, Input>> = {
  createApiKey: { name: 'A key' },
  createApp: aListing(),
  preflightListing: aListing(),
  updateApp: { id: unknownId },
  editApp: { id: unknownId, reason: 'It must be.' },
  approveApp: { id: unknownId, revision: 1 },
  approveAppVersion: { id: unknownId, revision: 1 },
  rejectApp: { id: unknownId, ...aRejection(1) },
  rejectAppVersion: { id: unknownId, ...aRejection(1) },
  createAppVersion: { appId: unknownId },
  updateAppVersion: { id: unknownId },
  createWebhookEndpoint: { url: 'https://ada.example/hook' },
  updateWebhookEndpoint: { id: unknownId },
  createAdminWebhook: { url: 'https://desk.example/hook' },
  updateAdminWebhook: { id: unknownId },
  nodes: {},
};
/** Items that are valid for GraphQL's types. */
const items: Record<string, unknown> = {
  acknowledge: 'duplicate',
  scopes: 'APP_READ',
  screenshots: { url: 'x' },
  reasons: { code: 'OTHER' },
  events: 'x',
  eventKinds: 'APP_APPROVED',
  ids: 'x',
};

it.each(lists)('$field of $name has a maximum length, and no nested list (D100)', ({ max, nested }) => {
  expect(max).toBeGreaterThan(0);
  expect(nested).toBe(1);
});

it('the table has every list of the contract', () => {
  expect([...new Set(lists.map(({ name }) => name))].toSorted()).toEqual(Object.keys(otherFields).toSorted());
});

describe.each(apis)('over %s', (api) => {
  const many = 15_000;
  const atRest = new Set(operations.filter(([, { rest }]) => rest).map(([name]) => name));
  const here = lists.filter(({ name }) => api === 'graphql' || atRest.has(name));
  const send = async (name: OperationName, field: string, length: number) => {
    const isAdmins = contract[name].policy.kind === 'admin';
    const bearer = isAdmins ? await service.admin() : api === 'rest' ? ada.key : ada.token;
    const value = Array.from({ length }, () => items[field]);
    return service.client.call(api, name, { ...otherFields[name], [field]: value }, bearer);
  };

  it.each(here)(
    '$field of $name is rejected quickly if it is far too long (D100)',
    async ({ name, field, max }) => {
      for (const length of [4 * max! + 1, many])
        expectError(await send(name, field, length), 'VALIDATION_FAILED', [`${field}: too_many`]);
      expect(await leastCpuMs(() => send(name, field, many))).toBeLessThan(maxMs);
    },
  );
});

describe('a body over REST', () => {
  const send = async (body: string, [method = '', path = '']: string[] = ['POST', '/api/dev/apps']) => {
    const response = await service.client.request(method, path, { bearer: ada.key, body });
    const text = await response.text();
    return { status: response.status, json: JSON.parse(text) as ErrorBody, bytes: Buffer.byteLength(text) };
  };
  const unknown = (count: number) =>
    JSON.stringify({
      ...aListing(),
      ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, 0])),
    });

  it.each([50, 51, 60, 20_000])(
    'with %i problems is rejected with 50 of them at most, and their number (D100)',
    async (count) => {
      const body = unknown(count);
      const { status, json } = await send(body);
      expect([status, json.error.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect(json.error.details).toHaveLength(Math.min(count, 50));
      if (count > 50) expect(json.error.message).toContain(`${count} problems`);
      else expect(json.error.message).not.toContain('problems');
      expect(await leastCpuMs(() => send(body))).toBeLessThan(maxMs);
    },
  );

  it('is rejected with the number of problems of all kinds (D100)', async () => {
    const body = { ...JSON.parse(unknown(60)), name: '', logoUrl: 'x', screenshots: Array(25).fill(0) };
    const { json } = await send(JSON.stringify(body));
    expect(json.error.message).toContain('63 problems');
    expect(json.error.details.map(({ field, code }) => `${field}: ${code}`)).toEqual(
      expect.arrayContaining(['name: too_short', 'logoUrl: invalid_url', 'screenshots: too_many']),
    );
  });

  it.each([
    ['100,000 wrong screenshots', `{"screenshots":[${'0,'.repeat(100_000)}0]}`],
    ['100,000 wrong scopes', `{"name":"x","scopes":[${'0,'.repeat(100_000)}0]}`],
    ['120,000 empty lists as screenshots', `{"screenshots":[${'[],'.repeat(80_000)}[]]}`],
    ['a field 20,000 times', `{${'"name":"x",'.repeat(20_000)}"name":""}`],
    ['fields with similar names', unknownKeys((i) => `${'x'.repeat(8)}${i}`)],
    ['fields with numbers as names', unknownKeys((i) => `${i}`)],
    [
      'fields with the names of built-in properties',
      `{${['__proto__', 'constructor', 'toString'].map((k) => `"${k}":{"a":1}`).join()}}`,
    ],
    ['one field with a name of 200,000 characters', `{"${'k'.repeat(200_000)}":0}`],
    ['names of 5,000 characters', unknownKeys((i) => `${'k'.repeat(5_000)}${i}`)],
    ['a number of 200,000 digits', `{"name":${'9'.repeat(200_000)}}`],
    ['200,000 escaped characters', `{"name":"${'\\u0301'.repeat(40_000)}"}`],
  ])('with %s is rejected quickly, in a short response (D100)', async (_, body) => {
    expect(body.length).toBeLessThanOrEqual(256 * 1024);
    for (const target of [
      ['POST', '/api/dev/apps'],
      ['POST', '/api/dev/api-keys'],
      ['PUT', `/api/dev/apps/${unknownId}`],
    ]) {
      const { status, bytes } = await send(body, target);
      expect([400, 404]).toContain(status);
      expect(bytes).toBeLessThan(50_000);
      expect(await leastCpuMs(() => send(body, target))).toBeLessThan(maxMs);
    }
  });

  it.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('with deeply nested %s is a 400, wherever they are (D6)', async (_, open, close) => {
    const depth = Math.floor(120_000 / (open.length + close.length)) * 2;
    const deep = open.repeat(depth) + (close === '}' ? '0' : '') + close.repeat(depth);
    const unclosed = open.repeat(Math.floor(250_000 / open.length));
    for (const body of [
      deep,
      unclosed,
      `{"name":${deep}}`,
      `{"name":${unclosed}`,
      `{"screenshots":${deep}}`,
      `{"screenshots":[{"url":${deep}}]}`,
      `{"environment":${deep}}`,
      `{"f":${deep}}`,
      `{"status":${deep},"name":7}`,
    ]) {
      expect(body.length).toBeLessThanOrEqual(256 * 1024);
      const sendBody = () => send(body);
      const { status, json, bytes } = await sendBody();
      expect([status, json.error.code]).toEqual([
        400,
        expect.stringMatching(/^(VALIDATION_FAILED|MALFORMED_JSON)$/),
      ]);
      expect(bytes).toBeLessThan(10_000);
      expect(await leastCpuMs(sendBody)).toBeLessThan(maxMs);
    }
  });

  it('with deeply nested unknown fields still records an install, once per Idempotency-Key (D30, D35)', async () => {
    const { slug } = await service.anApp(ada, 'APPROVED');
    const body = `{"f":${'['.repeat(90)}${']'.repeat(90)}}`;
    const headers = { 'idempotency-key': 'deep' };
    const install = () => service.client.request('POST', `/api/apps/${slug}/install`, { body, headers });
    expect((await install()).status).toBe(201);
    const again = await install();
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  });
});

function unknownKeys(name: (index: number) => string): string {
  const parts: string[] = [];
  for (let index = 0, length = 0; length < 250_000; index += 1) {
    const part = `"${name(index)}":0`;
    length += part.length + 1;
    if (length < 250_000) parts.push(part);
  }
  return `{${parts.join()}}`;
}
