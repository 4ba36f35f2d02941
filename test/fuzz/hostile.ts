import fc, { type Arbitrary } from 'fast-check';

/** Something of the cast, named before it is known: an app's id, a slug, a developer's id. */
export class Named {
  constructor(readonly what: string) {}
}

/** The objects of the cast that an id or a slug may name. */
export const namable = [
  'draft',
  'pending',
  'approved',
  'rejected',
  'suspended',
  'version',
  'pendingVersion',
  'endpoint',
  'keyId',
  'developerId',
  'newcomerId',
] as const;

const anId = fc.constantFrom(...namable).map((what): unknown => new Named(what));

/** Strings that have broken parsers, databases, logs and pages before. */
const infamous = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udfffb',
  '\u202eevil\u202c',
  '\u200b',
  '\ufeff',
  'é'.normalize('NFD'),
  '👩‍👩‍👧‍👦',
  'ﷺ'.repeat(40),
  "'; drop table apps; --",
  "' or '1'='1",
  '$1',
  '%00',
  '%',
  '%%s%n',
  '_%_',
  '\\',
  '\\u0000',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '#{1}',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'true',
  'NaN',
  'Infinity',
  '-0',
  '1e999',
  '0x10',
  '00000000-0000-0000-0000-000000000000',
  'javascript:alert(1)',
  'http://127.0.0.1:1/x.png',
  'http://[::ffff:127.0.0.1]/x.png',
  'https://user:pass@example.com/',
  'http://169.254.169.254/latest/meta-data',
  'https://exa mple.com',
  'https://example.com/\u0000',
  'a@b',
  'a@b@c.example',
  '"a b"@example.com',
  'x'.repeat(101),
  'x'.repeat(501),
  'x'.repeat(2049),
  'é'.repeat(20_001),
  'a b c d e f g h i j k l m n o p q r s t u v w x y z '.repeat(4),
  '& | ! ( ) : * < > \' "',
  'eyJhbGciOiJub25lIn0.e30.',
  '9007199254740993',
  '-1',
];

const hostileText: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...infamous),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 120 }),
);
const hostileNumber: Arbitrary<unknown> = fc.constantFrom(
  0,
  -0,
  -1,
  1.5,
  101,
  1e21,
  1e300,
  -1e300,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  5e-324,
);
const odd = fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { length: 3 }, { toString: 1 });
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    odd,
    hostileText,
    hostileNumber,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', '__proto__', 'constructor', 'id', 'name', '', '$ref'), tie('tree'), {
      maxKeys: 4,
    }),
  ),
}));

/** Any JSON value. */
export const anythingHostile: Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 2, arbitrary: hostileNumber },
  { weight: 2, arbitrary: odd },
  { weight: 1, arbitrary: tree },
  { weight: 1, arbitrary: anId },
);

/** A JSON Schema, as zod and the OpenAPI document write it. */
export type Schema = Readonly<Record<string, unknown>>;
type Deref = (reference: string) => Schema;

/** A value that a schema allows, or nearly: its bounds are looked for. */
export function fair(schema: Schema, deref: Deref): Arbitrary<unknown> {
  if (typeof schema.$ref === 'string') return fair(deref(schema.$ref), deref);
  if (Array.isArray(schema.anyOf))
    return fc.oneof(...schema.anyOf.map((option: Schema) => fair(option, deref)));
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  if ('const' in schema) return fc.constant(schema.const);
  switch (schema.type) {
    case 'string':
      return fairText(schema);
    case 'integer':
    case 'number':
      return fairNumber(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(fair((schema.items ?? {}) as Schema, deref), { maxLength: 7 });
    case 'object':
      return fairObject(schema, deref);
    default:
      return anythingHostile;
  }
}

function fairText({ format, minLength = 0, maxLength = 40 }: Schema): Arbitrary<unknown> {
  const at = (length: unknown) => fc.constant('ä'.repeat(Math.min(Number(length), 3_000)));
  switch (format) {
    case 'uuid':
      return fc.oneof({ weight: 6, arbitrary: anId }, { weight: 1, arbitrary: fc.uuid() });
    case 'uri':
      return fc.webUrl({ withQueryParameters: true });
    case 'email':
      return fc.emailAddress();
    case 'date-time':
      return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
    default:
      return fc.oneof(
        { weight: 6, arbitrary: fc.lorem({ maxCount: 3 }) },
        { weight: 1, arbitrary: at(minLength) },
        { weight: 1, arbitrary: at(maxLength) },
        { weight: 1, arbitrary: at(Number(maxLength) + 1) },
        { weight: 2, arbitrary: anId },
      );
  }
}

const fairNumber = ({ minimum = 0, maximum = 1_000 }: Schema): Arbitrary<unknown> => {
  const [low, high] = [Math.max(Number(minimum), -1_000), Math.min(Number(maximum), 1_000_000)];
  return fc.oneof(fc.integer({ min: low, max: high }), fc.constantFrom(low, high, 1, 2, high + 1));
};

function fairObject({ properties = {}, required = [] }: Schema, deref: Deref): Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties as Record<string, Schema>).map(([name, field]) => [name, fair(field, deref)]),
  );
  return fc.record(fields, { requiredKeys: required as string[], noNullPrototype: true });
}

/** An object for a schema: valid, or with one wrong field, or completely different. */
export function nearly(schema: Schema, deref: Deref): Arbitrary<Record<string, unknown>> {
  const names = Object.keys((schema.properties ?? {}) as object);
  const right = fairObject(schema, deref) as Arbitrary<Record<string, unknown>>;
  const field = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...names, 'id') },
    { weight: 1, arbitrary: fc.constantFrom('nobodyKnows', '__proto__', 'constructor', '', 'status') },
  );
  const wrong = fc
    .tuple(right, field, anythingHostile)
    .map(([object, name, value]) => Object.fromEntries([...Object.entries(object), [name, value]]));
  const wild = fc.dictionary(field, anythingHostile, { maxKeys: 6, noNullPrototype: true });
  return fc.oneof(
    { weight: 4, arbitrary: right },
    { weight: 5, arbitrary: wrong },
    { weight: 1, arbitrary: wild },
  );
}
