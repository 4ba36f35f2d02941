import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  buildSchema,
  type FieldNode,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  validate,
} from 'graphql';
import { DEMO_ACCOUNTS } from '../../src/auth/demo-accounts.js';
import { loadOperations, type PresetOperation } from '../../src/pages/playground-presets.js';
import type { ConnectionJson, Json } from '../support/actors.js';
import { beforeTests } from '../support/before-tests.js';
import { demoService } from './demo-service.js';

const schema = buildSchema(readFileSync('schema/schema.graphql', 'utf8'));
const presets = loadOperations();

const operationOf = ({ query }: PresetOperation): OperationDefinitionNode => {
  const operations = parse(query).definitions.filter(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  );
  expect(operations).toHaveLength(1);
  return operations[0]!;
};
const fieldsOf = (preset: PresetOperation): FieldNode[] =>
  operationOf(preset).selectionSet.selections.filter((selection) => selection.kind === Kind.FIELD);
const variablesOf = ({ variables }: PresetOperation) =>
  JSON.parse(variables ?? '{}') as Record<string, unknown>;

describe('the documents of the playground', () => {
  it('have unique names, by which the playground distinguishes the tabs', () => {
    expect(new Set(presets.map(({ name }) => name)).size).toBe(presets.length);
    const operations = presets.map((preset) => operationOf(preset).name?.value);
    expect(new Set(operations).size).toBe(presets.length);
  });

  it('are in groups: what is missing here needs a line "# group:"', () => {
    expect(presets.filter(({ group }) => group === 'Other').map(({ name }) => name)).toEqual([]);
  });

  it('start with the review queue for an administrator, and with their own apps for a developer', () => {
    const firstAs = (role: string) => presets.find(({ as }) => as === role)?.name;
    expect([firstAs('administrator'), firstAs('developer'), firstAs('anyone')]).toEqual([
      'Review queue',
      'My apps',
      'Browse apps',
    ]);
  });

  it('show every operation: what is missing here needs a document in schema/operations', () => {
    const types = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    const operations = types.flatMap((type) => Object.keys(type?.getFields() ?? {}));
    const shown = new Set(presets.flatMap((preset) => fieldsOf(preset).map(({ name }) => name.value)));
    expect(operations.filter((operation) => !shown.has(operation))).toEqual([]);
  });

  it.each(presets)('$name and its variables are valid', (preset) => {
    expect(validate(schema, parse(preset.query))).toEqual([]);
    expect(preset.query).toMatch(/^# \w+/);
    const { name, variableDefinitions = [] } = operationOf(preset);
    expect(name).toBeDefined();
    const given = variablesOf(preset);
    expect(getVariableValues(schema, variableDefinitions, given)).not.toHaveProperty('errors');
    expect(variableDefinitions.map(({ variable }) => variable.name.value)).toEqual(
      expect.arrayContaining(Object.keys(given)),
    );
  });

  it('of administrators hold no text that could be sent to somebody by mistake', () => {
    const texts = (value: unknown, name: string): string[] =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([key, inner]) => texts(inner, /^\d+$/.test(key) ? name : key))
        : /^(reason|guidance|message|text|note)$/.test(name) && typeof value === 'string' && value !== ''
          ? [value]
          : [];
    const canned = presets.filter(
      (preset) => preset.as === 'administrator' && texts(variablesOf(preset), '').length > 0,
    );
    expect(canned.map(({ name }) => name)).toEqual([]);
  });
});

describe('on a marketplace with demo data', () => {
  let tokens: Record<PresetOperation['as'], string>;
  /** Values for the ids that a person copies from another tab, by operation and argument. */
  let copied: Record<string, unknown>;
  const service = beforeTests(demoService);
  beforeAll(async () => {
    const [administrator = '', developer = '', newcomer = ''] = await Promise.all(
      [DEMO_ACCOUNTS.administrator, DEMO_ACCOUNTS.developer, DEMO_ACCOUNTS.newcomer].map(
        ({ accountUserId, admin }) => service.token(accountUserId, { admin }),
      ),
    );
    tokens = { administrator, developer, newcomer, anyone: '' };
    const { client } = service;
    const [app] = await client.must<Json[]>('myApps', {}, developer);
    const me = await client.must<Json>('me', {}, developer);
    const hook = { url: 'https://hooks.example/in' };
    const endpoint = await client.must<Json>('createWebhookEndpoint', hook, developer);
    const adminEndpoint = await client.must<Json>('createAdminWebhook', hook, administrator);
    const [key] = await client.must<Json[]>('myApiKeys', {}, developer);
    await client.must('rateApp', { slug: 'time-tracker', rating: 5 }, newcomer);
    const { edges } = await client.must<ConnectionJson>('reviewQueue', {}, administrator);
    copied = {
      'reviewItem.id': edges[0]?.node.id,
      'myApp.id': app?.id,
      'myAppBySlug.slug': app?.slug,
      'adminApp.id': app?.id,
      'preflight.id': app?.id,
      'appAnalytics.id': app?.id,
      'developer.id': me.id,
      'publicDeveloper.id': me.id,
      'node.id': me.id,
      'nodes.ids': [me.id],
      'keyChanges.keyId': key?.id,
      'webhookDeliveries.endpointId': endpoint.id,
      'adminWebhookDeliveries.endpointId': adminEndpoint.id,
    };
  });

  /** Fills in the variables that are empty in the document. */
  function filled(preset: PresetOperation): Record<string, unknown> {
    const given = variablesOf(preset);
    const empty = fieldsOf(preset).flatMap(({ name, arguments: values = [] }) =>
      values.flatMap(({ name: argument, value }) =>
        value.kind === Kind.VARIABLE && isEmpty(given[value.name.value])
          ? [[value.name.value, `${name.value}.${argument.value}`] as const]
          : [],
      ),
    );
    expect(empty.map(([, place]) => place).filter((place) => !(place in copied))).toEqual([]);
    return { ...given, ...Object.fromEntries(empty.map(([variable, place]) => [variable, copied[place]])) };
  }
  const isEmpty = (value: unknown) =>
    value === '' || (Array.isArray(value) && value.every((item) => item === ''));

  const send = async (preset: PresetOperation, variables: Record<string, unknown>) => {
    const response = await service.client.request('POST', '/graphql', {
      ...(tokens[preset.as] && { bearer: tokens[preset.as] }),
      body: { query: preset.query, variables },
    });
    return (await response.json()) as { data?: Json; errors?: { message: string; extensions: Json }[] };
  };
  const presetNamed = (name: string) => presets.find((preset) => preset.name === name)!;

  it.each(presets.filter((preset) => operationOf(preset).operation === OperationTypeNode.QUERY))(
    '$name runs as it is, once its ids are filled in',
    async (preset) => {
      const { data, errors } = await send(preset, filled(preset));
      expect(errors).toBeUndefined();
      expect(Object.values(data ?? {})).not.toContain(null);
    },
  );

  it.each(['Reject app', 'Reject app version'])(
    '%s is refused as it is, and says everything that has to be filled in',
    async (name) => {
      const { errors } = await send(presetNamed(name), variablesOf(presetNamed(name)));
      expect(errors?.[0]?.extensions).toMatchObject({
        code: 'VALIDATION_FAILED',
        details: expect.arrayContaining(
          ['revision', 'reasons.0.message', 'guidance'].map((field) => expect.objectContaining({ field })),
        ),
      });
    },
  );

  it.each([
    'Suspend app',
    'Suspend developer',
    'Unverify developer',
    'Hide rating',
    'Message developer',
    'Edit app',
    'Approve app',
    'Approve app and claim next',
    'Approve app version',
  ])('%s is refused as it is', async (name) => {
    const { errors } = await send(presetNamed(name), variablesOf(presetNamed(name)));
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});
