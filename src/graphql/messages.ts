import { type GraphQLSchema, isEnumType } from 'graphql';

/** graphql-js quotes names and values, which may be as long as the request. */
const maxLength = 500;

export const clipped = (text: string): string =>
  text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed()}…` : text;

const absent = /Field "(?:\w+\.)?(\w+)" of required type|not(?: to)? be null|was not provided/;
const unknown = /Field "(\w+)" is not defined by type/;

/** Reads the kind of problem and the field's name from a message of graphql-js, which reports them in its text only. */
export function problemIn(message: string): {
  code: 'required' | 'unknown_field' | null;
  name: string | null;
} {
  const missing = absent.exec(message);
  if (missing) return { code: 'required', name: missing[1] ?? null };
  const stranger = unknown.exec(message);
  return { code: stranger ? 'unknown_field' : null, name: stranger?.[1] ?? null };
}

/** Messages of Apollo and graphql-js, which say how to configure them. */
const introspectionIsOff = /^GraphQL introspection (?:is not allowed|has been disabled)/;

/** Removes the suggestion at the end of a message. */
export function withoutSuggestion(message: string): string {
  if (introspectionIsOff.test(message))
    return 'The schema cannot be read here (INTROSPECTION=off). Ask the operator of the service for it.';
  const start = message.lastIndexOf(' Did you mean ');
  return start === -1 ? message : message.slice(0, start);
}

const wrongEnumValue = / in "(\w+)" enum\.|^Enum "(\w+)" cannot represent /;

/** Lists the values of the enum in a message about a wrong one (D177), where graphql-js suggests a similar one at most. */
export function withEnumValues(message: string, schema: GraphQLSchema): string {
  const [, named, first] = wrongEnumValue.exec(message) ?? [];
  const type = schema.getType(named ?? first ?? '');
  if (!isEnumType(type)) return message;
  const values = type.getValues().map(({ name }) => name);
  return `${withoutSuggestion(message)} Use one of ${values.join(', ')}.`;
}
