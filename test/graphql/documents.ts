/** Fields of `__Type`, nested this deep. */
export const nested = (depth: number) => {
  const inner = (left: number): string => (left === 0 ? 'name' : `ofType { ${inner(left - 1)} }`);
  return inner(depth);
};
/** A document with this many levels of fields. */
export const deep = (depth: number) => `{ __type(name: "App") { ${nested(depth - 2)} } }`;
/** Repeats a text with its index. */
export const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');
/** Each fragment spreads the next one twice: 2^count fields when expanded. */
export const explosion = (count: number, last: string) =>
  `{ ...f0 } ${times(count, (index) => `fragment f${index} on Query { ...f${index + 1} ...f${index + 1} }`)} fragment f${count} on Query { ${last} }`;
/** The same with an alias for each field, so that no fields are merged. */
export const aliasedExplosion = `{ reviewQueue { edges { node { app { ...f0 } } } } } ${times(
  20,
  (index) =>
    `fragment f${index} on App { a${index}: messages { totalCount } b${index}: messages { totalCount } ...f${index + 1} ...f${index + 1} }`,
)} fragment f20 on App { id }`;
const change = 'field before after';
/** Nested lists in a page of 100. */
export const widest = `{ reviewQueue(first: 100) { edges { node { app { ${times(15, (index) => `a${index}: timeline { edges { node { changes { ${change} } } } }`)} } } } } }`;
/** All fields of a public app. */
export const page =
  'id slug name description longDescription category environment logoUrl bannerUrl websiteUrl screenshots { url caption order } status featured installCount reviewCount averageRating approvedAt createdAt updatedAt developer { name companyName websiteUrl }';
/** `{ … { … { __typename } } }`: pairs of brackets, nested this deep. */
export const wrapped = (count: number, open: string, close: string) =>
  `{ ${open.repeat(count)} __typename ${close.repeat(count)} }`;
/** Each fragment spreads the next. */
export const chain = (count: number) =>
  `{ ...f0 } ${times(count, (index) => `fragment f${index} on Query { ...f${index + 1} }`)} fragment f${count} on Query { __typename }`;
