import { type ASTNode, BREAK, Kind, visit } from 'graphql';

/** The way from an argument of a field to a value in it, such as `input`, `screenshots`, 1, `url`. */
export type ValuePath = readonly (string | number)[];

/** Arguments that contain the whole input of an operation: REST has their fields in the body or in the query. */
const holders: readonly unknown[] = ['input', 'filter'];

/** Names a field as REST does: without the argument that contains it. */
export const fieldAt = (path: ValuePath): string =>
  (holders.includes(path[0]) && path.length > 1 ? path.slice(1) : path).join('.');

/** Returns the path to the first use of each variable in a selection. */
export function variablePaths(root: ASTNode): ReadonlyMap<string, ValuePath> {
  const paths = new Map<string, ValuePath>();
  visit(root, {
    Variable({ name }, _key, _parent, keys) {
      if (!paths.has(name.value)) paths.set(name.value, namesAlong(root, keys));
    },
  });
  return paths;
}

/** Returns the path to a node of the same text, which was parsed separately; null if it is in no argument. */
export function pathTo(root: ASTNode, { kind, loc }: ASTNode): ValuePath | null {
  const start = loc?.start ?? 0;
  let path: ValuePath | null = null;
  visit(root, {
    enter(node, _key, _parent, keys) {
      if (node.kind === kind && node.loc?.start === start) {
        path = namesAlong(root, keys);
        return BREAK;
      }
      // Skips what does not contain it.
      return node.loc && (node.loc.start > start || node.loc.end <= start) ? false : undefined;
    },
  });
  return path;
}

function namesAlong(root: ASTNode, keys: ValuePath): ValuePath {
  const names: (string | number)[] = [];
  let node = root;
  let child: unknown = root;
  for (const key of keys) {
    child = (child as Record<string | number, unknown>)[key];
    if (Array.isArray(child)) continue;
    if (node.kind === Kind.LIST) names.push(key);
    node = child as ASTNode;
    if (node.kind === Kind.FIELD) names.length = 0;
    if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) names.push(node.name.value);
  }
  return names;
}
