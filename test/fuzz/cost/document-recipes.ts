import { createHash } from 'node:crypto';
import { documents } from './documents.js';
import { post, type Recipe } from './recipe.js';
import { walk } from './schema-walk.js';
import { growJson, valueKinds } from './values.js';

const documentNames = Object.keys(documents);
export const grownDocument: Recipe = {
  name: 'document',
  variants: documentNames.length,
  render(_kit, choice, size) {
    const name = documentNames[choice]!;
    return post(name, JSON.stringify({ query: documents[name]!(size) }));
  },
};

export const documentByGet: Recipe = {
  name: 'document by GET',
  variants: documentNames.length,
  render(_kit, choice, size) {
    const name = documentNames[choice]!;
    const path = `/graphql?query=${encodeURIComponent(documents[name]!(Math.min(size, 3_000)).toWellFormed())}`;
    return {
      about: name,
      method: 'GET',
      path,
      headers: {},
      body: null,
      credential: 'none',
    };
  },
};

export const walkedDocument: Recipe = {
  name: 'walk over the schema',
  variants: 1,
  render({ schema }, _choice, size, random) {
    const query = walk(schema, random, Math.min(size, 5_000));
    return post(
      'random document',
      JSON.stringify({ query }),
      random.pick(['none', 'account', 'administrator']),
    );
  },
};

/** The surroundings of a document: other keys of the request, and the registered texts. */
const envelopes: Readonly<Record<string, (value: string, size: number) => string>> = {
  variables: (value) => `{"query":"{ __typename }","variables":${value}}`,
  'undeclared variable': (value) => `{"query":"{ __typename }","variables":{"a":${value}}}`,
  extensions: (value) => `{"query":"{ __typename }","extensions":${value}}`,
  operationName: (value) => `{"query":"query Q { __typename }","operationName":${value}}`,
  query: (value) => `{"query":${value}}`,
  'unknown key': (value) => `{"query":"{ __typename }","nobodyKnows":${value}}`,
  'registered text': (_value, size) => registered(`{ __typename #${'a'.repeat(size)}\n}`),
  'wrong hash': (_value, size) => registered(`{ __typename }`, 'f'.repeat(size)),
};

const registered = (query: string, hash = createHash('sha256').update(query).digest('hex')) =>
  JSON.stringify({ query, extensions: { persistedQuery: { version: 1, sha256Hash: hash } } });

export const envelopeNames = Object.keys(envelopes);
export const envelope: Recipe = {
  name: 'envelope',
  variants: envelopeNames.length * valueKinds.length,
  render(_kit, choice, size) {
    const name = envelopeNames[choice % envelopeNames.length]!;
    const kind = valueKinds[Math.floor(choice / envelopeNames.length)]!;
    return post(`${name}: ${kind}`, envelopes[name]!(growJson(kind, size), size));
  },
};
