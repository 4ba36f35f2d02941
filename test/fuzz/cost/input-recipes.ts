import type { Credential } from '../cast.js';
import type { Random } from './random.js';
import { json, post, type Recipe } from './recipe.js';
import { example, replaceAt, type Target, targets } from './targets.js';
import { growJson, growText, textKinds, valueKinds } from './values.js';

/** A placeholder in an input for a grown value that JSON.stringify could not write. */
const marker = '@@grown@@';
const operationTargets = targets.filter(({ path }) => path.length === 0);
/** REST takes keys from developers. */
const restTargets = targets
  .filter(({ entry }) => entry.rest)
  .map((target) => (target.credential === 'account' ? { ...target, credential: 'key' as const } : target));
const named = ({ operation, path }: Target) =>
  path.length > 0 ? `${operation} ${path.join('.')}` : operation;

/** Mostly the credential that gets past the first checks. */
const credentialFor = ({ credential }: Target, random: Random): Credential =>
  random.chance(0.9) ? credential : random.pick(['none', 'nonsense', 'key', 'account'] as const);

export const variable: Recipe = {
  name: 'variable',
  variants: targets.length * valueKinds.length,
  render({ cast, client }, choice, size, random) {
    const target = targets[choice % targets.length]!;
    const kind = valueKinds[Math.floor(choice / targets.length)]!;
    const input = cast.resolve(example(target.schema, random)) as Record<string, unknown>;
    const { document, variables } = client.document(
      target.operation,
      target.path.length > 0 ? (replaceAt(input, target.path, marker) as typeof input) : input,
    );
    const body = JSON.stringify({
      query: document,
      variables: target.path.length > 0 ? variables : wholly(variables),
    });
    return post(
      `${named(target)}: ${kind}`,
      grown(body, growJson(kind, size)),
      credentialFor(target, random),
    );
  },
};

/** Puts the grown value in place of the input object, or of all variables where there is none. */
const wholly = (variables: Record<string, unknown>) => {
  const holder = Object.keys(variables).find((name) => name === 'input' || name === 'filter');
  return holder ? { ...variables, [holder]: marker } : marker;
};

export const body: Recipe = {
  name: 'body',
  variants: restTargets.length * valueKinds.length,
  render({ cast }, choice, size, random) {
    const target = restTargets[choice % restTargets.length]!;
    const kind = valueKinds[Math.floor(choice / restTargets.length)]!;
    const input = cast.resolve(example(target.schema, random)) as Record<string, unknown>;
    const [method = '', route = ''] = (target.entry.rest ?? '').split(' ');
    const { path, left } = routed(route, input);
    const takesBody = method === 'POST' || method === 'PUT';
    const request = { about: `${named(target)}: ${kind}`, method, credential: credentialFor(target, random) };
    if (takesBody) {
      const text = grown(JSON.stringify(replaceAt(left, target.path, marker)), growJson(kind, size));
      return { ...request, path, headers: json, body: text };
    }
    const value = textKinds.includes(kind)
      ? growText(kind, Math.min(size, 4_000))
      : growJson(kind, Math.min(size, 1_000));
    const field = encodeURIComponent(target.path[0] ?? 'nobodyKnows');
    const search = `${field}=${encodeURIComponent(value.toWellFormed())}`;
    return { ...request, path: `${path}?${search}`, headers: {}, body: null };
  },
};

/** Fills the route with what the input names, and returns what is left of the input. */
function routed(route: string, input: Record<string, unknown>) {
  const left = { ...input };
  const path = route.replace(/:(\w+)/g, (_, field: string) => {
    delete left[field];
    return encodeURIComponent(String(input[field] ?? 'a'));
  });
  return { path, left };
}

const grown = (text: string, value: string) => text.replace(`"${marker}"`, () => value);

/** Requests every field of an operation, with the longest page. */
export const everything: Recipe = {
  name: 'everything',
  variants: operationTargets.length,
  render({ cast, client }, choice, size, random) {
    const target = operationTargets[choice]!;
    const input = cast.resolve({ ...(example(target.schema, random) as object), ...longPage(target, size) });
    const { document, variables } = client.document(target.operation, input as Record<string, unknown>);
    return post(target.operation, JSON.stringify({ query: document, variables }), target.credential);
  },
};

const longPage = ({ schema }: Target, size: number) => {
  const { properties = {} } = schema as { properties?: object };
  const field = ['first', 'limit'].find((name) => name in properties);
  return field ? { [field]: Math.min(size, 100) } : {};
};
