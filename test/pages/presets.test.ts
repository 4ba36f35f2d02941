import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { buildSchema, getVariableValues, Kind, type OperationDefinitionNode, parse, validate } from 'graphql';
import { loadOperations } from '../../src/pages/playground-presets.js';

const schema = buildSchema(readFileSync('schema/schema.graphql', 'utf8'));

describe('the documents of the playground', () => {
  const operations = loadOperations();

  it('start with the review queue, for an administrator', () => {
    expect(operations[0]).toMatchObject({ name: 'Review queue', as: 'administrator' });
  });

  it('have unique names, by which the playground distinguishes the tabs', () => {
    expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length);
  });

  it.each(operations)('$name and its variables are valid', ({ query, variables }) => {
    const document = parse(query);
    expect(validate(schema, document)).toEqual([]);
    expect(query).toMatch(/^# \w+/);
    const operation = onlyOperation(document.definitions);
    const given = JSON.parse(variables ?? '{}') as Record<string, unknown>;
    expect(getVariableValues(schema, operation.variableDefinitions ?? [], given)).not.toHaveProperty(
      'errors',
    );
    expect(operation.variableDefinitions?.map(({ variable }) => variable.name.value)).toEqual(
      expect.arrayContaining(Object.keys(given)),
    );
  });
});

function onlyOperation(definitions: ReturnType<typeof parse>['definitions']): OperationDefinitionNode {
  const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  expect(operations).toHaveLength(1);
  expect(operations[0]?.name).toBeDefined();
  return operations[0]!;
}
