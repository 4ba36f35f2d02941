/** Documents that grow with `size`, each against another rule of GraphQL. */
const all = (size: number, part: (index: number) => string) =>
  Array.from({ length: Math.max(1, size) }, (_, i) => part(i)).join(' ');
const nested = (size: number, open: string, inner: string, close: string) =>
  open.repeat(Math.max(1, size)) + inner + close.repeat(Math.max(1, size));

const apps = (inner: string) => `apps(first: 1) { edges { node { ${inner} } } }`;

/** Deep documents: the parser, the visitors and every rule recurse over them. */
const nesting: Readonly<Record<string, (size: number) => string>> = {
  'nested inline fragments': (n) => `{ ${nested(n, '... {', '__typename', '}')} }`,
  'nested inline fragments with a type': (n) => `{ ${nested(n, '... on Query {', '__typename', '}')} }`,
  'nested fields': (n) => nested(n, '{ app(slug: "a") ', '{ id }', '}'),
  'nested unknown fields': (n) => nested(n, '{ a ', '{ id }', '}'),
  'nested list literal': (n) => `{ app(slug: ${nested(n, '[', '1', ']')}) { id } }`,
  'nested object literal': (n) => `{ apps(filter: ${nested(n, '{ search: ', '1', '}')}) { totalCount } }`,
  'nested type of a variable': (n) => `query ($a: ${nested(n, '[', 'Int', ']')}) { __typename }`,
  'nested default value': (n) => `query ($a: [Int] = ${nested(n, '[', '1', ']')}) { __typename }`,
  'nested directive arguments': (n) => `{ __typename @skip(if: ${nested(n, '[', 'true', ']')}) }`,
  'nested introspection': (n) => `{ __schema { types { ${nested(n, 'fields { type {', 'name', '} }')} } } }`,
  'nested ofType': (n) =>
    `{ __type(name: "App") { fields { type { ${nested(n, 'ofType {', 'name', '}')} } } } }`,
  'open braces': (n) => '{ a '.repeat(n),
  'open brackets': (n) => `{ a(b: ${'['.repeat(n)}`,
};

/** Fragments: their number, their order and how often they are spread. */
const fragments: Readonly<Record<string, (size: number) => string>> = {
  'fragment chain': (n) =>
    `{ ...F0 } ${all(n, (i) => `fragment F${i} on Query { ...F${i + 1} }`)} fragment F${Math.max(1, n)} on Query { __typename }`,
  'fragment chain backwards': (n) =>
    `fragment F0 on Query { __typename } ${all(n, (i) => `fragment F${i + 1} on Query { ...F${i} }`)} { ...F${Math.max(1, n)} }`,
  'fragment circle': (n) =>
    `{ ...F0 } ${all(n, (i) => `fragment F${i} on Query { ...F${(i + 1) % Math.max(1, n)} }`)}`,
  'fragments that double': (n) =>
    `{ ...F0 } ${all(n, (i) => `fragment F${i} on Query { ...F${i + 1} ... { ...F${i + 1} } }`)} fragment F${Math.max(1, n)} on Query { __typename }`,
  'fragments that double at depth': (n) =>
    `{ ...F0 } ${all(n, (i) => `fragment F${i} on Query { a: __typename ...F${i + 1} b: __typename ...F${i + 1} }`)} fragment F${Math.max(1, n)} on Query { __typename }`,
  'every fragment spreads every later one': (n) => {
    const count = Math.ceil(Math.sqrt(n));
    const later = (i: number) => all(count - i, (k) => `...F${i + 1 + k}`);
    return `{ ...F0 } ${all(count, (i) => `fragment F${i} on Query { ${later(i)} }`)} fragment F${count} on Query { __typename }`;
  },
  'every fragment spreads every other': (n) => {
    const count = Math.ceil(Math.sqrt(n));
    return `{ ...F0 } ${all(count, (i) => `fragment F${i} on Query { __typename ${all(count, (k) => `...F${k}`)} }`)}`;
  },
  'one fragment spread again and again': (n) =>
    `{ ${all(n, () => '...F')} } fragment F on Query { __typename }`,
  'a wide fragment spread again and again': (n) => {
    const count = Math.ceil(Math.sqrt(n));
    return `{ ${all(count, () => '...F')} } fragment F on Query { ${all(count, (i) => `a${i}: __typename`)} }`;
  },
  'fragments with the same fields': (n) =>
    `{ ${all(n, (i) => `...F${i}`)} } ${all(n, (i) => `fragment F${i} on Query { ${apps('id name')} }`)}`,
  'fragments with other fields of one name': (n) =>
    `{ ${all(n, (i) => `...F${i}`)} } ${all(n, (i) => `fragment F${i} on Query { a: __typename b: app(slug: "${i}") { id } }`)}`,
  'unused fragments': (n) => `{ __typename } ${all(n, (i) => `fragment F${i} on Query { __typename }`)}`,
  'fragments of one name': (n) => `{ ...F } ${all(n, () => 'fragment F on Query { __typename }')}`,
  'unknown fragments': (n) => `{ ${all(n, (i) => `...F${i}`)} }`,
  'fragments with variables': (n) =>
    `query (${all(n, (i) => `$a${i}: Boolean!`)}) { ...F0 } ${all(n, (i) => `fragment F${i} on Query { a${i}: __typename @skip(if: $a${i}) ...F${i + 1} }`)} fragment F${Math.max(1, n)} on Query { __typename }`,
  'operations that share fragments': (n) => {
    const count = Math.ceil(Math.sqrt(n));
    return `${all(count, (i) => `query Q${i}($a${i}: Boolean!) { ...F0 }`)} ${all(count, (i) => `fragment F${i} on Query { ...F${i + 1} __typename @skip(if: $b) }`)} fragment F${count} on Query { __typename }`;
  },
};

/** Wide documents: rules that compare everything with everything, or that suggest what was meant. */
const width: Readonly<Record<string, (size: number) => string>> = {
  'one field again and again': (n) => `{ ${all(n, () => '__typename')} }`,
  'one object field again and again': (n) => `{ ${all(n, () => apps('id'))} }`,
  'one wide object field again and again': (n) =>
    `{ ${all(n, () => apps('id name slug description category averageRating installCount developer { name }'))} }`,
  'inline fragments with one field': (n) => `{ ${all(n, () => '... { __typename }')} }`,
  'inline fragments with the same fields': (n) => `{ ${all(n, () => `... { ${apps('id')} }`)} }`,
  'inline fragments in an object': (n) => `{ ${apps(all(n, () => '... on PublicApp { id name }'))} }`,
  'one name for other arguments': (n) => `{ ${all(n, (i) => `a: app(slug: "${i}") { id }`)} }`,
  'one name for other fields': (n) => `{ ${all(n, (i) => `a: ${i % 2 ? 'me' : 'categories'} { id }`)} }`,
  'conflicts below one name': (n) =>
    `{ ${all(n, (i) => `a: ${apps(`b: ${i % 2 ? 'name' : 'slug'} c: ${i % 3 ? 'id' : 'name'}`)}`)} }`,
  aliases: (n) => `{ ${all(n, (i) => `a${i}: __typename`)} }`,
  'aliases of objects': (n) => `{ ${all(n, (i) => `a${i}: ${apps('id')}`)} }`,
  'unknown fields': (n) => `{ ${all(n, (i) => `unknown${i}`)} }`,
  'near-miss fields': (n) => `{ ${all(n, (i) => `myApp${i}`)} }`,
  'near-miss fields of an object': (n) => `{ ${apps(all(n, (i) => `descriptionn${i}`))} }`,
  'near-miss types': (n) => `{ ${all(n, (i) => `... on PublicAp${i} { id }`)} }`,
  'near-miss arguments': (n) => `{ ${all(n, (i) => `a${i}: apps(frist: 1, afterr: 2) { totalCount }`)} }`,
  'unknown arguments': (n) => `{ apps(${all(n, (i) => `unknown${i}: 1`)}) { totalCount } }`,
  'arguments of one name': (n) => `{ apps(${all(n, () => 'first: 1')}) { totalCount } }`,
  'near-miss enum values': (n) => `{ ${all(n, (i) => `a${i}: apps(sort: populr) { totalCount }`)} }`,
  'list literal of wrong values': (n) =>
    `{ apps(filter: { category: [${all(n, () => 'X')}] }) { totalCount } }`,
  'list literal of wrong objects': (n) =>
    `mutation { createApp(input: { screenshots: [${all(n, () => '{ ulr: 1 }')}] }) { id } }`,
  'list literal of right objects': (n) =>
    `mutation { createApp(input: { screenshots: [${all(n, () => '{ url: "a" }')}] }) { id } }`,
  'object literal of unknown fields': (n) =>
    `{ apps(filter: { ${all(n, (i) => `serach${i}: "a"`)} }) { totalCount } }`,
  'object literal of one field': (n) => `{ apps(filter: { ${all(n, () => 'search: "a"')} }) { totalCount } }`,
  'unused variables': (n) => `query (${all(n, (i) => `$a${i}: Int`)}) { __typename }`,
  'variables of one name': (n) => `query (${all(n, () => '$a: Int')}) { __typename }`,
  'variables of unknown types': (n) =>
    `query (${all(n, (i) => `$a${i}: CreateAppInputt${i}`)}) { __typename }`,
  'undefined variables': (n) => `{ ${all(n, (i) => `a: app(slug: $a${i}) { id }`)} }`,
  'variables in wrong places': (n) => `query ($a: Int) { ${all(n, (i) => `a${i}: app(slug: $a) { id }`)} }`,
  operations: (n) => all(n, (i) => `query Q${i} { __typename }`),
  'operations of one name': (n) => all(n, () => 'query Q { __typename }'),
  'operations without a name': (n) => all(n, () => '{ __typename }'),
  subscriptions: (n) => all(n, (i) => `subscription S${i} { a b c }`),
  'type definitions': (n) => all(n, (i) => `type T${i} { a: Int }`),
  'directives on one field': (n) => `{ __typename ${all(n, () => '@skip(if: false)')} }`,
  'unknown directives': (n) => `{ __typename ${all(n, (i) => `@unknown${i}`)} }`,
  'fields with directives': (n) => `{ ${all(n, (i) => `a${i}: __typename @include(if: true)`)} }`,
  'types asked for': (n) =>
    `{ ${all(n, (i) => `a${i}: __type(name: "App") { fields { name type { name } } }`)} }`,
  'schemas asked for': (n) => `{ ${all(n, (i) => `a${i}: __schema { types { name fields { name } } }`)} }`,
};

/** Tokens that are long, or that are none. */
const tokens: Readonly<Record<string, (size: number) => string>> = {
  'a long comment': (n) => `#${'a'.repeat(n)}\n{ __typename }`,
  'many comments': (n) => `${'#\n'.repeat(n)}{ __typename }`,
  'many commas': (n) => `{ ${','.repeat(n)} __typename }`,
  'a long name': (n) => `{ ${'a'.repeat(n)} }`,
  'a long near-miss name': (n) => `{ ${'myApps'.repeat(n)} }`,
  'a long type name': (n) => `query ($a: ${'App'.repeat(n)}) { __typename }`,
  'a long string': (n) => `{ app(slug: "${'a'.repeat(n)}") { id } }`,
  'a string of escapes': (n) => `{ app(slug: "${'\\u0301'.repeat(n)}") { id } }`,
  'a string of combining marks': (n) => `{ suggest(prefix: "a${'\u0301\u0323'.repeat(n)}") { name } }`,
  'a block string of lines': (n) => `{ app(slug: """${' \n'.repeat(n)}""") { id } }`,
  'a block string of quotes': (n) => `{ app(slug: """${'\\"""'.repeat(n)}""") { id } }`,
  'a block string that grows inwards': (n) =>
    `{ app(slug: """${all(Math.ceil(Math.sqrt(n)), (i) => `\n${' '.repeat(i)}a`)}""") { id } }`,
  'a long number': (n) => `{ apps(first: ${'9'.repeat(n)}) { totalCount } }`,
  'a string without an end': (n) => `{ app(slug: "${'a'.repeat(n)}`,
  'many lines before a mistake': (n) => `${'\n'.repeat(n)}{ ]`,
  'many mistakes far down': (n) => `{ ${'\n'.repeat(n)}${all(20, (i) => `unknown${i}`)} }`,
  'one long line before a mistake': (n) => `{ a(b: "${'\u0301'.repeat(n)}") ]`,
};

export const documents: Readonly<Record<string, (size: number) => string>> = {
  ...nesting,
  ...fragments,
  ...width,
  ...tokens,
};
