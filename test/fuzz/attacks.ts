import fc, { type Arbitrary } from 'fast-check';
import { z } from 'zod';
import { type OperationName, operations } from '../../src/contract.js';
import type { AnyOperation } from '../../src/operations/operation.js';
import type { OpenApi } from '../support/openapi.js';
import { type Credential, credentials } from './cast.js';
import { anythingHostile, fair, nearly, type Schema } from './hostile.js';

/** One hostile request, as data: whose ids it carries is settled when it is sent. */
export type Attack = RestAttack | GraphQLAttack;

interface Common {
  credential: Credential;
  headers: Record<string, string>;
  spoil: keyof typeof spoils;
}

export interface RestAttack extends Common {
  api: 'rest';
  method: string;
  /** As the OpenAPI document writes it. */
  route: string;
  inPath: unknown;
  query: Record<string, unknown>;
  /** Null: the route takes none. */
  body: Record<string, unknown> | null;
}

export interface GraphQLAttack extends Common {
  api: 'graphql';
  operation: OperationName;
  input: Record<string, unknown>;
  /** Where the document loses a character; -1: nowhere. */
  cut: number;
}

/** Damages that a body can take on its way. */
export const spoils = {
  nothing: (text: string) => text,
  cut: (text: string) => text.slice(0, -1),
  list: (text: string) => `[${text}]`,
  deep: () => `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  huge: (text: string) => `${text.slice(0, -1)},"a":"${'x'.repeat(270_000)}"}`,
  notUtf8: () => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  empty: () => '',
  null: () => 'null',
  duplicateKeys: (text: string) => `{"id":1,"id":[],${text.slice(1)}`,
};

const latin = fc.string({ unit: fc.constantFrom(...'abcXYZ019 ,;="*/\\\'{}<>%é'), maxLength: 30 });
const oddHeader = fc.constantFrom(
  'if-match',
  'if-none-match',
  'idempotency-key',
  'x-request-id',
  'accept',
  'accept-encoding',
  'content-type',
  'x-forwarded-for',
  'origin',
  'range',
  'x-http-method-override',
);
const oddValue = fc.oneof(latin, fc.constantFrom('"1"', '*', 'W/"1"', '"1", "2"', 'a'.repeat(300)));

/** The parts of every attack; mostly with the right credential, to get past the first checks. */
const common = (fitting: Credential) => ({
  credential: fc.oneof(
    { weight: 3, arbitrary: fc.constant(fitting) },
    { weight: 1, arbitrary: fc.constantFrom(...credentials) },
  ),
  headers: fc.oneof(
    { weight: 6, arbitrary: fc.constant<Record<string, string>>({}) },
    { weight: 1, arbitrary: fc.dictionary(oddHeader, oddValue, { minKeys: 1, maxKeys: 2 }) },
  ),
  spoil: fc.oneof(
    { weight: 12, arbitrary: fc.constant<keyof typeof spoils>('nothing') },
    { weight: 1, arbitrary: fc.constantFrom(...(Object.keys(spoils) as (keyof typeof spoils)[])) },
  ),
});

/** The credential that an operation's policy asks for. */
export const fittingFor: Record<AnyOperation['policy']['kind'], Credential> = {
  anyone: 'none',
  optional: 'account',
  account: 'newcomer',
  developer: 'account',
  admin: 'administrator',
};

interface Parameter {
  name: string;
  in: string;
  schema: Schema;
}
interface Described {
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
}

/** Attacks on one route, generated from the OpenAPI document. */
function onRoute(openapi: OpenApi, route: string, method: string, described: Described): Arbitrary<Attack> {
  const deref = (reference: string) => openapi.at(reference.slice(1)) as Schema;
  const inQuery = (described.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const query = {
    properties: Object.fromEntries(inQuery.map((parameter) => [parameter.name, parameter.schema])),
  };
  const reference = described.requestBody?.content['application/json'].schema.$ref;
  return fc.record({
    ...common(route.startsWith('/api/dev/') ? 'key' : 'none'),
    api: fc.constant('rest' as const),
    method: fc.constant(method),
    route: fc.constant(route),
    inPath: fc.oneof(
      { weight: 6, arbitrary: fair({ type: 'string', format: 'uuid' }, deref) },
      { weight: 1, arbitrary: anythingHostile },
    ),
    query: nearly(query, deref),
    body: reference ? nearly(deref(String(reference)), deref) : fc.constant(null),
  });
}

/** Attacks on one GraphQL operation, generated from its zod input. */
function onOperation(operation: OperationName, { input, policy }: AnyOperation): Arbitrary<Attack> {
  const { expectedRevisions: _, ...shape } = input.shape;
  const schema = z.toJSONSchema(z.object(shape), { io: 'input', unrepresentable: 'any' }) as Schema & {
    $defs?: Record<string, Schema>;
  };
  const deref = (reference: string) => schema.$defs?.[reference.replace('#/$defs/', '')] ?? {};
  return fc.record({
    ...common(fittingFor[policy.kind]),
    api: fc.constant('graphql' as const),
    operation: fc.constant(operation),
    input: nearly(schema, deref),
    cut: fc.oneof({ weight: 12, arbitrary: fc.constant(-1) }, { weight: 1, arbitrary: fc.nat(200) }),
  });
}

/** Any attack, over REST or GraphQL, on any operation. */
export function anyAttack(openapi: OpenApi): Arbitrary<Attack> {
  const routes = Object.entries(openapi.document.paths).flatMap(([route, methods]) =>
    Object.entries(methods).map(([method, described]) =>
      onRoute(openapi, route, method.toUpperCase(), described as Described),
    ),
  );
  const fields = operations.map(([name, operation]) => onOperation(name, operation));
  return fc.oneof(fc.oneof(...routes), fc.oneof(...fields));
}
