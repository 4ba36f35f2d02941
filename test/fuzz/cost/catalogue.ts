import { type Candidate, maxSize } from './candidate.js';
import { envelopeNames } from './document-recipes.js';
import { recipes } from './recipes.js';
import { targets } from './targets.js';
import { valueKinds } from './values.js';

/** Token and nesting limits are met between these sizes, and the limit of bytes at the last. */
const documentSizes = [40, 300, 1_500, maxSize];
/** Inputs that anybody, an account, a developer and an administrator can send; texts, addresses, lists and objects. */
const inputs = [
  'recordInstall',
  'recordInstall installationId',
  'suggest prefix',
  'browseApps search',
  'browseApps category',
  'registerDeveloper email',
  'createApp websiteUrl',
  'createApp longDescription',
  'createApp screenshots',
  'createApp',
  'createApiKey scopes',
  'rejectApp reasons',
];

const candidate = (recipe: string, choice: number, size: number): Candidate => ({
  recipe,
  choice,
  size,
  seed: choice,
  splice: null,
});

const all = (recipe: string, sizes: readonly number[]): Candidate[] => {
  const { variants = 0 } = recipes.find(({ name }) => name === recipe) ?? {};
  return Array.from({ length: variants }, (_, choice) => choice).flatMap((choice) =>
    sizes.map((size) => candidate(recipe, choice, size)),
  );
};

/** Those of the short form: a text that anybody can send, a list, and a whole input. */
const fewInputs = ['recordInstall installationId', 'createApp screenshots', 'createApp'];

/** The choice of a recipe that goes through all targets for each kind of value. */
const choices = (
  places: readonly { operation: string; path: readonly string[] }[],
  names: readonly string[],
): number[] =>
  places.flatMap(({ operation, path }, place) =>
    names.includes([operation, path.join('.')].join(' ').trim())
      ? valueKinds.map((_, kind) => kind * places.length + place)
      : [],
  );

/** Keys of a GraphQL request that hold JSON of the caller's. */
const envelopes = ['variables', 'extensions', 'query'].map((name) => envelopeNames.indexOf(name));

const shapes = (names: readonly string[], sizes: readonly number[]): Candidate[] => [
  ...all('everything', [100]),
  ...all('document', sizes),
  ...choices(targets, names).map((choice) => candidate('variable', choice, maxSize)),
  ...choices(
    targets.filter(({ entry }) => entry.rest),
    names,
  ).map((choice) => candidate('body', choice, maxSize)),
];

/** Requests that cost much in the first release, and their relatives. */
export const knownShapes: readonly Candidate[] = [
  ...shapes(inputs, documentSizes),
  ...envelopes.flatMap((name) =>
    valueKinds.map((_, kind) => candidate('envelope', kind * envelopeNames.length + name, maxSize)),
  ),
];

/** Fewer of them, for every run of the tests. */
export const fewShapes: readonly Candidate[] = shapes(fewInputs, [300]);
