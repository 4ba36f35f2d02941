/** The part of JSON Schema that `listing.schema.json` uses. A test fails if it uses more. */
export interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  format?: string;
  description?: string;
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
}

/** A value that does not match. */
export interface Mismatch {
  field: string;
  code: string;
  message: string;
}

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
};

const isOfType = (value: unknown, type: string) =>
  typeOf(value) === type || (type === 'number' && typeOf(value) === 'integer');

const lengthOf = (text: string) => [...text].length;

/** Lists what in a value does not match a schema, in the words of the API. */
export function mismatches(
  schema: JsonSchema,
  value: unknown,
  field = '',
  definitions: Definitions = schema.$defs ?? {},
): Mismatch[] {
  const alternatives = alternativesOf(schema, definitions);
  const found = alternatives.map((each) => mismatchesOfOne(each, value, field, definitions));
  if (found.some((list) => list.length === 0)) return [];
  // Those with the alternative that has the same type, since that one was meant.
  const meant = found.find(
    (list) => !list.some((each) => each.field === field && each.code === 'invalid_type'),
  );
  if (meant) return meant;
  const types = alternatives.flatMap(({ type }) => (type === undefined ? [] : [type].flat()));
  return [report(field, 'invalid_type', `must be ${named(types)}, but is ${named([typeOf(value)])}`)];
}

type Definitions = Readonly<Record<string, JsonSchema>>;

/** Returns the schemas of which a value must match one: a single one if there is no choice. */
function alternativesOf(schema: JsonSchema, definitions: Definitions): JsonSchema[] {
  const target = schema.$ref?.replace('#/$defs/', '');
  if (target !== undefined) return alternativesOf(definitions[target] ?? {}, definitions);
  return schema.anyOf?.flatMap((each) => alternativesOf(each, definitions)) ?? [schema];
}

function mismatchesOfOne(
  schema: JsonSchema,
  value: unknown,
  field: string,
  definitions: Definitions,
): Mismatch[] {
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some((type) => isOfType(value, type)))
    return [report(field, 'invalid_type', `must be ${named(types)}, but is ${named([typeOf(value)])}`)];
  if (schema.enum && !schema.enum.includes(value))
    return [report(field, 'invalid_value', `must be one of ${schema.enum.join(', ')}`)];
  if (typeof value === 'string') return mismatchesOfText(schema, value, field);
  if (typeof value === 'number') return mismatchesOfNumber(schema, value, field);
  if (Array.isArray(value)) return mismatchesOfList(schema, value, field, definitions);
  if (typeof value === 'object' && value !== null)
    return mismatchesOfObject(schema, value as Record<string, unknown>, field, definitions);
  return [];
}

function mismatchesOfText({ minLength = 0, maxLength, format }: JsonSchema, value: string, field: string) {
  const length = lengthOf(value.normalize('NFC').trim());
  if (length < minLength) return [report(field, 'too_short', 'must not be empty')];
  if (maxLength !== undefined && length > maxLength)
    return [report(field, 'too_long', `must have at most ${maxLength} characters (it has ${length})`)];
  if (format === 'uri' && !(/^https?:\/\//i.test(value) && URL.canParse(value)))
    return [report(field, 'invalid_url', 'must be an address that starts with http:// or https://')];
  return [];
}

function mismatchesOfNumber({ minimum, maximum }: JsonSchema, value: number, field: string): Mismatch[] {
  if (minimum !== undefined && value < minimum)
    return [report(field, 'too_small', `must be at least ${minimum}`)];
  if (maximum !== undefined && value > maximum)
    return [report(field, 'too_big', `must be at most ${maximum}`)];
  return [];
}

function mismatchesOfList(
  { items, minItems = 0, maxItems }: JsonSchema,
  value: unknown[],
  field: string,
  definitions: Definitions,
) {
  if (value.length < minItems)
    return [report(field, 'too_few', `must have at least ${minItems} items (it has ${value.length})`)];
  if (maxItems !== undefined && value.length > maxItems)
    return [report(field, 'too_many', `must have at most ${maxItems} items (it has ${value.length})`)];
  return items
    ? value.flatMap((item, index) => mismatches(items, item, below(field, index), definitions))
    : [];
}

function mismatchesOfObject(
  schema: JsonSchema,
  value: Record<string, unknown>,
  field: string,
  definitions: Definitions,
): Mismatch[] {
  const { properties = {}, required = [], additionalProperties = true } = schema;
  const missing = required.filter((name) => !Object.hasOwn(value, name));
  return [
    ...missing.map((name) => report(below(field, name), 'required', 'is required')),
    ...Object.entries(value).flatMap(([name, member]) => {
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (known) return mismatches(known, member, below(field, name), definitions);
      return additionalProperties
        ? []
        : [report(below(field, name), 'unknown_field', 'is not a field of a listing. Check its spelling')];
    }),
  ];
}

const below = (field: string, key: string | number) => (field === '' ? `${key}` : `${field}.${key}`);

const report = (field: string, code: string, message: string): Mismatch => ({
  field,
  code,
  message: `${field || 'The file'} ${message}.`,
});

const names: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};
const named = (types: readonly string[]) =>
  [...new Set(types)].map((type) => names[type] ?? type).join(' or ');
