import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  buildSchema,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
  visit,
} from 'graphql';
import { webTree } from './support/source-tree.js';

const schema = buildSchema(readFileSync('schema/schema.graphql', 'utf8'));
const definitions = webTree.flatMap(({ path, text }) =>
  [...text.matchAll(/\bgraphql\(\s*`([^`]*)`/g)].flatMap(([, document = '']) =>
    parse(document).definitions.map((definition) => ({ path, definition })),
  ),
);
const fragments = new Map(
  definitions
    .map(({ definition }) => definition)
    .filter(
      (definition): definition is FragmentDefinitionNode => definition.kind === Kind.FRAGMENT_DEFINITION,
    )
    .map((definition) => [definition.name.value, definition]),
);
const operations = definitions
  .filter(({ definition }) => definition.kind === Kind.OPERATION_DEFINITION)
  .map(({ path, definition }) => {
    const operation = definition as OperationDefinitionNode;
    return { path, operation, name: operation.name?.value ?? '' };
  });

/** Returns an operation with the fragments that it uses, however indirectly. */
function documentOf(operation: OperationDefinitionNode): DocumentNode {
  const used = new Set<FragmentDefinitionNode>();
  const collect = (node: OperationDefinitionNode | FragmentDefinitionNode) =>
    visit(node, {
      FragmentSpread({ name }) {
        const fragment = fragments.get(name.value);
        if (!fragment || used.has(fragment)) return;
        used.add(fragment);
        collect(fragment);
      },
    });
  collect(operation);
  return { kind: Kind.DOCUMENT, definitions: [operation, ...used] };
}

describe('the documents of the browser application', () => {
  it('are found (D210)', () => {
    const calls = webTree.flatMap(({ path, text }) =>
      path === 'web/client/graphql.ts' ? [] : (text.match(/\bgraphql\(/g) ?? []),
    );
    expect(operations.length).toBeGreaterThan(10);
    expect(definitions.length).toBeGreaterThanOrEqual(calls.length);
  });

  it.each(operations)('$name is valid (D210)', ({ operation }) => {
    expect(validate(schema, documentOf(operation)).map(({ message }) => message)).toEqual([]);
  });

  it.each(operations)('$name is named after its area (D210)', ({ path, name }) => {
    const [, area = ''] = path.split('/');
    if (['market', 'console', 'desk'].includes(area)) expect(name.toLowerCase().startsWith(area)).toBe(true);
    expect(name).not.toBe('');
  });

  it('have names of their own (D210)', () => {
    const names = operations.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});
