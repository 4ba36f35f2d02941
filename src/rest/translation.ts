import { expectedRevisions } from './headers.js';
import { coerceQuery } from './query.js';
import type { Route } from './route.js';
import { serializer } from './serializer.js';

/** What REST answers to a success, before it is sent. */
export interface Answer {
  status: number;
  etag: string | null;
  /** JSON. */
  body: string;
  /** Whether it was given before, to the same request. */
  replayed?: boolean;
}

/** Where a request says what it wants. */
interface Given {
  query: { readonly [field: string]: unknown };
  ifMatch: string | undefined;
  body: { readonly [field: string]: unknown };
  path: { readonly [field: string]: unknown };
}

/** Query and headers, then body, then path: the path wins. Fields that are published but not taken are set aside. */
export function inputOf(
  route: Route,
  given: Given,
): { input: Record<string, unknown>; ignored: readonly string[] } {
  const { operation, bodyFields, published } = route;
  const isIgnored = (field: string) =>
    !bodyFields.includes(field) && (operation.unknownFields === 'ignore' || published.has(field));
  const ignored: string[] = [];
  // Made of its entries, once: a body may have tens of thousands of fields, and one of them may be `__proto__`.
  const fields = Object.entries(coerceQuery(operation.input.shape, route.queryFields, given.query));
  if (route.takesIfMatch) fields.push(...Object.entries(expectedRevisions(given.ifMatch)));
  for (const field of Object.entries(given.body)) {
    if (isIgnored(field[0])) ignored.push(field[0]);
    else fields.push(field);
  }
  for (const field of route.pathFields) fields.push([field, given.path[field]]);
  return { input: Object.fromEntries(fields), ignored };
}

/** Compiles, once per route, what a success looks like. */
export function answering({ operation, outputType }: Route): (result: unknown) => Answer {
  const { status = 200, revision, collection } = operation;
  const toJson = serializer(outputType);
  return (result) => {
    const json = toJson(result);
    return {
      status: typeof status === 'function' ? status(result) : status,
      etag: revision ? `"${revision(result)}"` : null,
      body: JSON.stringify(collection ? { [collection]: json } : json),
    };
  };
}
