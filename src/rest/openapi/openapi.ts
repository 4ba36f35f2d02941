import type { GraphQLSchema } from 'graphql';
import { z } from 'zod';
import type { OperationTable } from '../../contract.js';
import { type ErrorCode, errorStatus, isOurFault, wantsCredential } from '../../errors.js';
import { deprecationNote } from '../../operations/operation.js';
import { version } from '../../server/version.js';
import { type Route, routesOf } from '../route.js';
import { errorSchema, headerParameters, headers, securitySchemes } from './components.js';
import { errorCodesOf } from './error-codes.js';
import { exampleError } from './error-reference.js';
import { examples, parameterExamples } from './examples.js';
import { type JsonSchema, jsonSchemaOf, objectSchemas } from './json-schema.js';

/** The sections of the reference. A route belongs to the first whose path is a prefix of its own. */
const sections = [
  { path: '/api/dev/apps', name: 'Apps', description: 'Operations of developers on their own apps.' },
  {
    path: '/api/dev/api-keys',
    name: 'API keys',
    description: 'Creating, listing and revoking API keys.',
  },
  {
    path: '/api/dev',
    name: 'Developer profile',
    description: 'Registration and the profile of the developer.',
  },
  { path: '/api/apps', name: 'Public', description: 'The approved apps: no credential is needed.' },
];

const description = `The marketplace for apps that extend a task-management product. Developers register, are verified by an administrator, create API keys, list apps and submit them for review; everybody can browse and install the approved apps.

All of these operations, and the administration, are also available at \`POST /graphql\` under the same names: an \`operationId\` is the name of the GraphQL field.

Every response has \`X-Request-Id\`. All errors have the same body; its \`code\` is the kind of error. A field of a body that the resource publishes but the operation does not accept has no effect and is listed in \`X-Ignored-Fields\`; an unknown field is rejected.`;

/** Builds the OpenAPI 3.1 document of the REST API from the contract. */
export function openApiDocument(schema: GraphQLSchema, table?: OperationTable): object {
  const routes = routesOf(schema, table);
  const schemas: Record<string, JsonSchema> = {
    Error: errorSchema,
    ...objectSchemas(
      schema,
      routes.map((route) => route.outputType),
    ),
  };
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationObject(route, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'marketplace-gateway',
      version: version(),
      summary: 'The REST API of the app marketplace.',
      description,
      contact: { name: 'The marketplace-gateway authors' },
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: '/', description: 'This service, local or in production.', 'x-internal': false }],
    tags: sections.map(({ name, description }) => ({ name, description })),
    paths,
    components: { schemas: sorted(schemas), headers, securitySchemes },
  };
}

function operationObject(route: Route, schemas: Record<string, JsonSchema>): object {
  const { name, operation, path } = route;
  const body = requestBody(route, schemas);
  return {
    operationId: name,
    summary: operation.summary.replace(/\.$/, '').replaceAll('`', ''),
    description: `${operation.summary}${scopeNote(route)}${operation.deprecated ? ` ${deprecationNote(operation.deprecated)}` : ''}`,
    ...(operation.deprecated && { deprecated: true }),
    tags: [sections.find((section) => path.startsWith(section.path))!.name],
    security: security(route),
    parameters: parameters(route),
    ...(body && { requestBody: body }),
    responses: responses(route),
  };
}

const scopeNote = ({ operation: { policy } }: Route) =>
  `${policy.scope ? ` Requires the scope ${policy.scope}.` : ''}${policy.mustBeVerified ? ' The developer must be verified.' : ''}`;

function security({ operation: { policy } }: Route): object[] {
  if (policy.kind === 'anyone') return [];
  return [
    ...(policy.kind === 'developer' ? [{ apiKey: [] }] : []),
    ...(policy.accountTokenOverRest ? [{ accountToken: [] }] : []),
  ];
}

function parameters({ operation, method, pathFields, queryFields, takesIfMatch }: Route): object[] {
  const parameter = (place: 'path' | 'query') => (name: string) => {
    const { description, ...schema } = inputSchema(operation.input.shape[name]);
    return {
      name,
      in: place,
      required: place === 'path',
      description,
      schema: place === 'path' ? schema : withoutNull(schema),
      example: parameterExamples[name],
    };
  };
  return [
    ...pathFields.map(parameter('path')),
    ...queryFields.map(parameter('query')),
    ...(takesIfMatch ? [headerParameters.ifMatch] : []),
    ...(method === 'POST' ? [headerParameters.idempotencyKey] : []),
  ];
}

function requestBody(
  { name, operation, bodyFields }: Route,
  schemas: Record<string, JsonSchema>,
): object | null {
  if (bodyFields.length === 0) return null;
  const shape = Object.fromEntries(bodyFields.map((field) => [field, operation.input.shape[field]]));
  const typeName = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
  const { $defs, ...schema } = inputSchema(z.object(shape));
  Object.assign(schemas, {
    [typeName]: { description: `The request body of ${name}.`, ...schema },
    ...($defs as object),
  });
  const required = Array.isArray(schema.required) && schema.required.length > 0;
  return {
    required,
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${typeName}` },
        example: examples[name]?.request,
      },
    },
  };
}

/** Converts an input to JSON Schema; nested inputs are references by name. */
function inputSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' });
  return JSON.parse(
    JSON.stringify(json)
      .replaceAll('#/$defs/', '#/components/schemas/')
      .replaceAll(/,?"id":"\w+Input"/g, '')
      .replaceAll('"type":"integer"', '"type":"integer","format":"int32"'),
  );
}

/** Removes null from a schema: a query parameter cannot be null, and an empty one counts as absent. */
function withoutNull(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.anyOf)) return schema;
  return Object.assign({}, ...schema.anyOf.filter((option: JsonSchema) => option.type !== 'null'));
}

function responses(route: Route): Record<string, object> {
  const { operation, method, isPublic } = route;
  const { status } = operation;
  const successes = typeof status === 'function' ? [201, 200] : [status ?? 200];
  return {
    ...Object.fromEntries(successes.map((code) => [code, success(route)])),
    ...(isPublic &&
      method === 'GET' && {
        304: {
          description: 'Not modified: the ETag in `If-None-Match` is current.',
          headers: referTo('X-Request-Id', ...limitHeaders, 'ETag'),
        },
      }),
    ...refusals(errorCodesOf(route)),
  };
}

function success(route: Route): object {
  const { operation, name, bodyFields, isPublic, method } = route;
  const item = jsonSchemaOf(route.outputType);
  const { collection } = operation;
  const schema = collection
    ? { type: 'object', required: [collection], properties: { [collection]: item } }
    : item;
  const named = [
    'X-Request-Id',
    ...limitHeaders,
    ...(operation.revision || (isPublic && method === 'GET') ? ['ETag'] : []),
    ...(operation.pagination ? ['Link'] : []),
    ...(bodyFields.length > 0 ? ['X-Ignored-Fields'] : []),
    ...(method === 'POST' ? ['Idempotent-Replayed'] : []),
    ...(operation.policy.kind === 'developer' ? ['X-Api-Key-Expires'] : []),
    ...(operation.deprecated ? ['Deprecation', 'Sunset'] : []),
  ];
  return {
    description: operation.summary,
    headers: referTo(...named),
    content: { 'application/json': { schema, example: examples[name]?.response } },
  };
}

function refusals(codes: readonly ErrorCode[]): Record<string, object> {
  const byStatus = Map.groupBy(codes, (code) => errorStatus[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group.join(', '),
        headers: referTo(
          'X-Request-Id',
          ...(group.some(isOurFault) ? [] : limitHeaders),
          ...(group.includes('RATE_LIMITED') || group.includes('UNAVAILABLE') ? ['Retry-After'] : []),
          ...(group.some(wantsCredential) ? ['WWW-Authenticate'] : []),
        ),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: Object.fromEntries(group.map((code) => [code, { value: exampleError(code) }])),
          },
        },
      },
    ]),
  );
}

const limitHeaders = ['RateLimit', 'RateLimit-Policy'];
const referTo = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
const sorted = <T>(record: Record<string, T>) =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
