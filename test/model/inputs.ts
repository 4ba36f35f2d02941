import fc from 'fast-check';
import type { OperationName } from '../../src/contract.js';
import { allScopes } from '../support/actors.js';
import type { Input } from '../support/api-client.js';
import type { Flaw } from './model.js';

/** The input of an act, and the mistake in it, if any. */
interface Wish {
  input: Input;
  flaw: Flaw | null;
}

type FlawedFields = [Flaw, Input];

/** A good input, now and then with one of the given flaws in it. */
const sent = (good: fc.Arbitrary<Input>, ...flaws: FlawedFields[]): fc.Arbitrary<Wish> => {
  const sound = good.map((input): Wish => ({ input, flaw: null }));
  if (flaws.length === 0) return sound;
  const flawed = fc
    .tuple(good, fc.constantFrom(...flaws))
    .map(([input, [flaw, fields]]): Wish => ({ input: { ...input, ...fields }, flaw }));
  return fc.oneof({ weight: 14, arbitrary: sound }, { weight: 1, arbitrary: flawed });
};

const nothing = sent(fc.constant({}));
const some = (fields: Record<string, fc.Arbitrary<unknown>>, requiredKeys: string[] = []) =>
  fc.record(fields, { requiredKeys }) as fc.Arbitrary<Input>;

const picture = (n: number, more: Input = {}) => ({ url: `https://pictures.example/${n}.png`, ...more });
const enoughPictures = [
  [picture(1), picture(2, { caption: ' Two ' })],
  [picture(1, { order: 7 }), picture(2), picture(3, { order: 1 })],
];
const tooFewPictures = [[], [picture(1)]];
const tooManyPictures = Array.from({ length: 7 }, (_, i) => picture(i));

const url = fc.constantFrom('https://ada.example/', 'http://bob.example/x.png?size=1');
const optionalUrl = fc.option(url, { freq: 3 });

// Few values, so that names clash and changes sometimes change nothing.
const listing = {
  name: fc.constantFrom('Notes', ' notes! ', 'Café Radar', 'List', '日本', 'Notes 2'),
  description: fc.constantFrom('Takes notes.', ' Plans\nthe day. '),
  category: fc.constantFrom('PRODUCTIVITY', 'AI_ML', 'OTHER'),
};
const details = {
  longDescription: fc.option(fc.constantFrom('# All\n\tof it', 'More'), { freq: 3 }),
  logoUrl: optionalUrl,
  bannerUrl: optionalUrl,
  websiteUrl: optionalUrl,
  oauthClientId: fc.option(fc.constant('client-1'), { freq: 3 }),
  screenshots: fc.constantFrom(...enoughPictures, ...tooFewPictures, null),
};
/** Nothing, one field, or many: with so few values, often what is there already. */
const changes = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Input>({}) },
  {
    weight: 5,
    arbitrary: fc.oneof(
      ...Object.entries({ ...listing, ...details }).map(([field, value]) =>
        (value as fc.Arbitrary<unknown>).map((to): Input => ({ [field]: to })),
      ),
    ),
  },
  { weight: 3, arbitrary: some({ ...listing, ...details }) },
);
const listingFlaws: FlawedFields[] = [
  ['value', { name: '  ' }],
  ['value', { name: 'x'.repeat(101) }],
  ['value', { name: 'A\u0007bell' }],
  ['value', { websiteUrl: 'ftp://ada.example' }],
  ['value', { logoUrl: 'https://ada:secret@ada.example' }],
  ['value', { screenshots: tooManyPictures }],
  ['type', { category: 'NONSENSE' }],
  ['type', { screenshots: [{ caption: 'Without an address' }] }],
  ['type', { nmae: 'Misspelt' }],
];

const emails = ['Ada@example.com', 'ada@EXAMPLE.com', 'bob@example.com', 'cleo@example.com'];
const profile = {
  companyName: fc.constantFrom(null, ' Ada & Co '),
  websiteUrl: fc.constantFrom(null, 'https://ada.example'),
  bio: fc.constantFrom(null, 'Two\nlines'),
};
const profileFlaws: FlawedFields[] = [
  ['value', { name: '' }],
  ['value', { email: 'nowhere' }],
  ['value', { bio: 'x'.repeat(2001) }],
  ['type', { name: 7 }],
  ['type', { emial: 'a@example.com' }],
];

const reason = sent(
  fc.constant({ reason: 'It was time.' }),
  ['value', { reason: ' ' }],
  ['type', { reason: undefined }],
);
const filter = {
  category: listing.category,
  environment: fc.constantFrom('localhost', 'production'),
  featured: fc.boolean(),
};
const limit = fc.constantFrom(1, 2, 100, 1000);

/** The inputs that each act may have; ids, slugs and revisions are filled in when it happens. */
export const inputs = {
  registerDeveloper: sent(
    // Most leave the address to the chosen caller.
    fc.oneof(
      { weight: 3, arbitrary: some({ name: fc.constantFrom('Ada', ' Bob '), ...profile }, ['name']) },
      { weight: 1, arbitrary: fc.record({ name: fc.constant('Eve'), email: fc.constantFrom(...emails) }) },
    ),
    ...profileFlaws,
    ['type', { name: undefined }],
  ),
  me: nothing,
  viewer: nothing,
  updateMe: sent(
    some({ name: fc.constantFrom('Ada', 'Ada L.'), email: fc.constantFrom(...emails), ...profile }),
    ...profileFlaws,
    ['value', { name: null }],
  ),
  createApiKey: sent(
    some(
      {
        name: fc.constantFrom('CI', ' laptop '),
        scopes: fc.oneof(
          fc.constant(allScopes),
          fc.constantFrom(...allScopes).map((scope) => [scope, scope]),
          fc.subarray(allScopes, { minLength: 1 }),
        ),
        expiresInDays: fc.constantFrom(1, 89, 90, 91, 365),
      },
      ['name', 'scopes'],
    ),
    ['value', { name: '' }],
    ['value', { scopes: [] }],
    ['type', { scopes: ['EVERYTHING'] }],
    ['value', { expiresInDays: 0 }],
    ['value', { expiresInDays: 366 }],
    ['type', { expiresInDays: 1.5 }],
  ),
  myApiKeys: nothing,
  revokeApiKey: nothing,
  createApp: sent(
    some(
      {
        ...listing,
        environment: fc.constantFrom('localhost', 'staging', 'production'),
        ...details,
        screenshots: fc.oneof(
          { weight: 5, arbitrary: fc.constantFrom(...enoughPictures) },
          { weight: 1, arbitrary: fc.constantFrom(...tooFewPictures, null) },
        ),
      },
      ['name', 'description', 'category', 'environment', 'screenshots'],
    ),
    ...listingFlaws,
    ['type', { description: undefined }],
    ['type', { environment: 'moon' }],
  ),
  myApps: nothing,
  myApp: nothing,
  updateApp: sent(changes, ...listingFlaws, ['value', { description: null }]),
  deleteApp: nothing,
  submitApp: nothing,
  withdrawApp: nothing,
  appAnalytics: nothing,
  developer: nothing,
  verifyDeveloper: nothing,
  unverifyDeveloper: reason,
  suspendDeveloper: reason,
  reinstateDeveloper: nothing,
  adminApp: nothing,
  adminApps: sent(
    some({
      first: fc.constantFrom(1, 2, 50),
      status: fc.constantFrom('DRAFT', 'PENDING', 'APPROVED', 'REJECTED', 'SUSPENDED', null),
      category: listing.category,
      featured: fc.boolean(),
    }),
    ['value', { first: 0 }],
    ['type', { status: 'GONE' }],
  ),
  reviewQueue: sent(
    some({ first: fc.constantFrom(1, 2, 50) }),
    ['value', { first: 0 }],
    ['type', { first: 'x' }],
  ),
  claimNext: sent(
    some({ category: listing.category, environment: filter.environment }),
    ['type', { category: 'NONSENSE' }],
    ['type', { overdue: 'yes' }],
  ),
  decisions: sent(
    some({ first: fc.constantFrom(1, 2, 50), outcome: fc.constantFrom('APPROVED', 'REJECTED') }),
    ['value', { first: 0 }],
    ['type', { outcome: 'GONE' }],
  ),
  approveApp: sent(
    // The few names of the model clash; what an approval then needs is the subject of test/attacks/findings.
    some(
      {
        note: fc.constant('Well done.'),
        acknowledge: fc.constant(['duplicate']),
        reason: fc.constant('It was there first.'),
      },
      ['acknowledge', 'reason'],
    ),
    ['type', { revision: 'latest' }],
    ['value', { note: 'x'.repeat(2001) }],
  ),
  rejectApp: sent(
    fc.record({
      reasons: fc.constantFrom(
        [{ code: 'INCOMPLETE', field: 'description', message: 'It says too little.' }],
        [
          { code: 'OTHER', message: 'This.' },
          { code: 'POLICY', field: null, message: 'And\nthat.' },
        ],
      ),
      guidance: fc.constant('Say more.'),
    }),
    ['value', { reasons: [] }],
    ['value', { guidance: '' }],
    ['type', { reasons: [{ code: 'BAD', message: 'No such code.' }] }],
  ),
  suspendApp: reason,
  restoreApp: nothing,
  featureApp: sent(fc.record({ featured: fc.boolean() }), ['type', { featured: 'yes' }]),
  editApp: sent(
    changes.map((fields) => ({ ...fields, reason: 'A typo.' })),
    ...listingFlaws,
    ['value', { reason: '' }],
  ),
  browseApps: sent(
    some({
      ...filter,
      sort: fc.constantFrom('popular', 'newest', 'rating', 'name', 'relevance'),
      page: fc.constantFrom(1, 2),
      limit,
      search: fc.constant(''),
    }),
    ['value', { page: 0 }],
    ['value', { limit: 0 }],
    ['value', { search: 'x'.repeat(101) }],
    ['type', { sort: 'best' }],
    ['type', { category: 'NONSENSE' }],
    ['type', { featured: 'maybe' }],
  ),
  app: nothing,
  publicDeveloper: nothing,
  featuredApps: sent(some({ environment: filter.environment, limit }), ['value', { limit: -1 }]),
  categories: nothing,
  recordInstall: sent(
    some({
      installationId: fc.constantFrom('one', 'two'),
      accountUserId: fc.constant('somebody'),
      version: fc.constant('1.0'),
    }),
    ['value', { installationId: '' }],
    ['value', { version: 'x'.repeat(51) }],
    ['graphql', { planet: 'Mars' }],
  ),
} satisfies Partial<Record<OperationName, fc.Arbitrary<Wish>>>;
