import { readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { operations } from '../src/contract.js';
import { buildGraphQLSchema } from '../src/graphql/schema.js';

describe('an operation has one name', () => {
  it('the queries, mutations and subscriptions of GraphQL are those of the contract', async () => {
    const schema = await buildGraphQLSchema();
    const roots = {
      query: schema.getQueryType(),
      mutation: schema.getMutationType(),
      subscription: schema.getSubscriptionType(),
    };
    for (const [kind, type] of Object.entries(roots)) {
      const declared = operations.filter(([, operation]) => operation.kind === kind).map(([name]) => name);
      expect(Object.keys(type?.getFields() ?? {}).toSorted()).toEqual(declared.toSorted());
    }
  });

  it('an argument that groups fields has fields of the input, with the same rules', () => {
    const fields = operations.flatMap(([name, { input, grouped }]) =>
      Object.entries(grouped?.fields.shape ?? {}).map(([field, rule]) => ({
        field: `${name}.${field}`,
        isSame: input.shape[field] === rule,
      })),
    );
    expect(fields.length).toBeGreaterThan(50);
    expect(fields.filter(({ isSame }) => !isSame)).toEqual([]);
  });

  it('each operation has a test file of its name', () => {
    const files = readdirSync('test/modules', { recursive: true, encoding: 'utf8' });
    const tested = files.map((file) => file.replace(/^.*\//, ''));
    expect(operations.map(([name]) => `${name}.test.ts`).filter((file) => !tested.includes(file))).toEqual(
      [],
    );
  });
});
