import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Writable } from 'node:stream';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type GraphQLSchema,
  getIntrospectionQuery,
  graphqlSync,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import { errorStatus } from '../src/errors.js';
import { buildGraphQLSchema, printSdl } from '../src/graphql/schema.js';
import { AppSort } from '../src/modules/catalog/catalog.types.js';
import { auditKinds } from '../src/modules/events/event-kind.types.js';
import { adminEvents, webhooked } from '../src/modules/events/published-event.types.js';
import { Environment } from '../src/modules/listings/app.entity.js';
import { findingCodes } from '../src/modules/listings/finding.types.js';
import { openApiDocument } from '../src/rest/openapi/openapi.js';
import { routesText } from '../src/rest/openapi/routes-text.js';
import { escapePart, OpenApi } from './support/openapi.js';

let schema: GraphQLSchema;
beforeAll(async () => {
  schema = await buildGraphQLSchema();
});
const emitted = (name: string) => readFileSync(`schema/${name}`, 'utf8');

describe('schema/', () => {
  it('is current: what is committed is what the contract emits', () => {
    expect(emitted('schema.graphql')).toBe(printSdl(schema));
    expect(JSON.parse(emitted('openapi.json'))).toEqual(openApiDocument(schema));
    expect(emitted('routes.txt')).toBe(routesText(schema));
  });
});

describe('schema.graphql', () => {
  /** Everything that a reader can ask about, with its place and its description. */
  function* described(): Generator<{ place: string; description: string | null | undefined }> {
    for (const type of Object.values(schema.getTypeMap())) {
      if (isIntrospectionType(type) || isSpecifiedScalarType(type)) continue;
      yield { place: type.name, description: type.description };
      if (isEnumType(type))
        for (const { name, description } of type.getValues())
          yield { place: `${type.name}.${name}`, description };
      if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
      for (const field of Object.values(type.getFields())) {
        const place = `${type.name}.${field.name}`;
        yield { place, description: field.description };
        for (const { name, description } of 'args' in field ? field.args : [])
          yield { place: `${place}(${name})`, description };
      }
    }
  }

  it('is valid, and can be read whole by introspection', () => {
    expect(graphqlSync({ schema, source: getIntrospectionQuery() })).toEqual({ data: expect.anything() });
  });

  it('describes every type, field, argument and enum value', () => {
    const all = [...described()];
    expect(all.length).toBeGreaterThan(200);
    expect(all.filter(({ description }) => !description?.trim()).map(({ place }) => place)).toEqual([]);
  });
});

describe('the enums and scalars for generated clients', () => {
  const valuesOf = (name: string) => {
    const type = schema.getType(name);
    return isEnumType(type) ? type.getValues().map((value) => value.name) : [];
  };
  const enumNames = (kinds: readonly string[]) =>
    kinds.map((kind) => kind.replaceAll(/[^a-z]/g, '_').toUpperCase()).toSorted();

  it('have a value for each code and kind of the service (D150)', () => {
    expect(valuesOf('ErrorCode').toSorted()).toEqual(Object.keys(errorStatus).toSorted());
    const published = new Set(enumNames([...Object.keys(webhooked), ...Object.keys(adminEvents)]));
    expect(valuesOf('EventKind').toSorted()).toEqual([...published].toSorted());
    expect(valuesOf('AuditKind').toSorted()).toEqual(enumNames(Object.values(auditKinds)));
    expect(valuesOf('AuditKind')).toEqual(expect.arrayContaining(valuesOf('EventKind')));
    expect(valuesOf('FindingCode')).toEqual(expect.arrayContaining(['too_few', 'duplicate', 'wrong_size']));
  });

  it('have a specification for each scalar, in the printed schema too (D150)', () => {
    const scalars = Object.values(schema.getTypeMap()).filter(
      (type) => isScalarType(type) && !isSpecifiedScalarType(type),
    );
    expect(scalars.map(({ name }) => name).toSorted()).toEqual(['DateTimeISO', 'JSONObject']);
    for (const { name } of scalars)
      expect(emitted('schema.graphql')).toMatch(
        new RegExp(`^scalar ${name} @specifiedBy\\(url: "https:`, 'm'),
      );
  });
});

describe('schema.graphql, as graphql-schema-linter sees it', () => {
  /** Waived findings by rule, each with its reason. */
  const waivers = {
    // SPEC and the contract spell these values in lower case, in REST and GraphQL.
    'enum-values-all-caps': [
      ...Object.values(Environment).map((value) => `Environment.${value}`),
      ...Object.values(AppSort).map((value) => `AppSort.${value}`),
      // The same codes as in the details of errors.
      ...Object.keys(findingCodes).map((code) => `FindingCode.${code}`),
    ],
  };
  const { runner } = createRequire(import.meta.url)('graphql-schema-linter') as {
    runner: { run(out: Writable, input: null, err: Writable, argv: string[]): Promise<number> };
  };
  /** Returns the violations of all its rules, those of Relay included. */
  const lint = async (ignored: object): Promise<string[]> => {
    let said = '';
    const out = new Writable({
      write(chunk, _encoding, done) {
        said += chunk;
        done();
      },
    });
    const options = ['--format', 'json', '--ignore', JSON.stringify(ignored), 'schema/schema.graphql'];
    await runner.run(out, null, out, ['node', 'graphql-schema-linter', ...options]);
    const { errors } = JSON.parse(said) as { errors: { rule: string; message: string }[] };
    return errors.map(({ rule, message }) => `${rule}: ${message}`);
  };

  it('breaks none of its rules, but for those waived', async () => {
    expect(await lint(waivers)).toEqual([]);
  });

  it('needs each waiver', async () => {
    expect(await lint({})).toHaveLength(Object.values(waivers).flat().length);
  });
});

describe('openapi.json', () => {
  const document = JSON.parse(emitted('openapi.json')) as OpenApi['document'];
  const openApi = new OpenApi(document);

  /** Every media type and parameter of the document that shows an example, with the place of its schema. */
  function* examples(
    node: unknown,
    pointer = '',
  ): Generator<[place: string, schema: string, value: unknown]> {
    if (typeof node !== 'object' || node === null) return;
    if ('schema' in node) {
      if ('example' in node) yield [pointer, `${pointer}/schema`, node.example];
      const named = 'examples' in node ? Object.entries(node.examples as object) : [];
      for (const [name, { value }] of named) yield [`${pointer} ${name}`, `${pointer}/schema`, value];
    }
    for (const [key, value] of Object.entries(node))
      if (!['example', 'examples', 'schema'].includes(key)) yield* examples(value, pointer + escapePart(key));
  }
  const shown = [...examples(document)];

  it('shows an example of every body that is sent and answered', () => {
    const bodies: string[] = [];
    const collect = (node: unknown, place: string) => {
      if (typeof node !== 'object' || node === null) return;
      if ('application/json' in node && !/"examples?":/.test(JSON.stringify(node['application/json'])))
        bodies.push(place);
      for (const [key, value] of Object.entries(node)) collect(value, `${place}/${key}`);
    };
    collect(document.paths, '');
    expect(bodies).toEqual([]);
    expect(shown.length).toBeGreaterThan(100);
  });

  it('shows an example of every parameter', () => {
    const parameters = Object.values(
      document.paths as Record<string, Record<string, { parameters?: object[] }>>,
    )
      .flatMap((methods) => Object.values(methods))
      .flatMap((operation) => operation.parameters ?? []);
    expect(parameters.length).toBeGreaterThan(20);
    expect(parameters.filter((parameter) => !('example' in parameter))).toEqual([]);
  });

  it('shows only examples that its own schemas allow', () => {
    const wrong = shown
      .map(([place, pointer, value]) => ({ place, problems: openApi.problems(pointer, value) }))
      .filter(({ problems }) => problems.length > 0);
    expect(wrong).toEqual([]);
  });

  it('would notice a response that is empty, incomplete or has extra fields', () => {
    const pointer = '/components/schemas/DeletedApp';
    const id = '0198c5b4-3c1e-7f5e-9d49-1f8f6a1f0b3a';
    expect(openApi.problems(pointer, { id, deleted: true })).toEqual([]);
    for (const wrong of [null, {}, { id }, { id: 'x', deleted: true }, { id, deleted: true, more: 1 }])
      expect(openApi.problems(pointer, wrong)).not.toEqual([]);
  });
});
