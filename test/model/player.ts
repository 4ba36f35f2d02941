import { expect } from '@jest/globals';
import type { Outcome } from '../support/api-client.js';
import type { Service } from '../support/service.js';
import { type Act, type Beginning, properly, type Sequence } from './acts.js';
import { accounts, cast } from './casting.js';
import { type Prediction, predict, type Request } from './model.js';
import { fresh, now } from './records.js';
import type { Bearer } from './rules.js';
import { World } from './world.js';

const dayMs = 24 * 60 * 60 * 1000;
/** Long, of the right shape, and never issued: its checksum is wrong. */
const mistypedKey = `mkt_${'a'.repeat(38)}`;

const everything = ['APP_CREATE', 'APP_READ', 'APP_UPDATE', 'APP_DELETE', 'ANALYTICS_READ'];
const inBusiness = (who: number) => [
  properly('registerDeveloper', 0, { name: 'Ada' }),
  properly('verifyDeveloper', who),
  properly('createApiKey', who, { name: 'All', scopes: everything }),
];
const readerKey = properly('createApiKey', 0, { name: 'Reader', scopes: ['APP_READ', 'ANALYTICS_READ'] });
const anApp = (name: string) => ({
  name,
  description: 'Takes notes.',
  category: 'OTHER',
  environment: 'production',
  screenshots: [{ url: 'https://pictures.example/1.png' }, { url: 'https://pictures.example/2.png' }],
});
const submitted = (who: number, name: string) => [
  properly('createApp', who, anApp(name)),
  properly('submitApp', 0),
];
const beginnings: Record<Beginning, Act[]> = {
  nothing: [],
  'two in business': [...inBusiness(0), ...inBusiness(1)],
  'an app in review': [...inBusiness(0), readerKey, ...submitted(0, 'Notes')],
  'a small market': [
    ...inBusiness(0),
    ...inBusiness(1),
    readerKey,
    ...submitted(0, 'Notes'),
    properly('approveApp', 0),
    ...submitted(1, 'Plans'),
    properly('approveApp', 0),
    ...submitted(0, 'Notes'),
  ],
};

/** Deletes a few rows, because TRUNCATE is slower; what is public cannot be deleted. */
const emptyEverything = `
  update apps set status = 'DRAFT', approved_at = null;
  delete from apps;
  delete from installations;
  delete from api_keys;
  delete from profile_changes;
  delete from developers;
  delete from pgboss.job`;

/** Plays sequences on the service and on the model, and holds the one against the other. */
export class Player {
  private readonly tokens = new Map<string, string>();

  constructor(private readonly service: Service) {}

  async play({ beginning, acts }: Sequence): Promise<void> {
    await this.service.sql(emptyEverything);
    const world = new World();
    const story: string[] = [];
    try {
      for (const act of [...beginnings[beginning], ...acts]) {
        await this.hold(world, cast(world, act.plan), story);
      }
      await this.compareAll(world, story);
    } catch (error) {
      throw new Error([...story, error instanceof Error ? error.message : error].join('\n'));
    }
  }

  /** One call on both sides. */
  private async hold(world: World, request: Request, story: string[]): Promise<void> {
    const { operation, api, input, flaw } = request;
    const bearer = await this.credential(request.bearer);
    const told = `${story.length + 1}. ${api} ${operation} ${JSON.stringify(input)}${flaw ? ` (bad ${flaw})` : ''} by ${describe(world, request.bearer)}`;
    const since = Date.now();
    const predicted = predict(world, request);
    story.push(`${told} → ${predicted.code ?? 'ok'}`);
    const outcome = await this.service.client.call(api, operation, input, bearer);
    try {
      compare(predicted, outcome, { since, until: Date.now() });
    } catch (error) {
      throw new Error(`At ${told}:\n${error instanceof Error ? error.message : error}`);
    }
  }

  /** Everything that anybody can see, once the sequence is over. */
  private async compareAll(world: World, story: string[]): Promise<void> {
    const admin: Bearer = { kind: 'admin' };
    const none: Bearer = { kind: 'none' };
    const of = ({ accountUserId }: { accountUserId: string }): Bearer => ({ kind: 'token', accountUserId });
    const read = (
      operation: Request['operation'],
      bearer: Bearer,
      input = {},
      over: Request['api'] = 'graphql',
    ) => this.hold(world, { operation, api: over, bearer, input, flaw: null }, story);
    story.push('And then everybody looks at everything:');
    await Promise.all([
      ...world.developers.flatMap((developer) => [
        read('me', of(developer)),
        read('viewer', of(developer)),
        read('myApps', of(developer)),
        read('myApiKeys', of(developer)),
        ...world.apps
          .filter(({ owner }) => owner !== developer)
          .slice(0, 1)
          .map(({ app: { id } }) => read('myApp', of(developer), { id })),
      ]),
      // The catalog shows every public app in full; the others must not be found by their slug either.
      ...world.apps
        .filter(({ app, owner }) => app.status !== 'APPROVED' || owner.status === 'SUSPENDED')
        .map(({ app: { slug } }) => read('app', none, { slug }, 'rest')),
      ...(world.apps.length > 1 ? ['popular', 'newest', 'name'] : ['popular']).map((sort) =>
        read('browseApps', none, { sort, limit: 100 }, 'rest'),
      ),
      read('featuredApps', none, {}, 'rest'),
      read('categories', none, {}, 'rest'),
      read('reviewQueue', admin, { first: 100 }),
      read('adminApps', admin, { first: 100 }),
      read('decisions', admin, { first: 100 }),
      this.compareRecords(world),
    ]);
    // The submissions that nobody has claimed yet, one by one, and then nothing.
    for (let claim = 0; claim < 3; claim += 1) await read('claimNext', admin);
  }

  /** Compares what no response shows: single installs, and the events that are mailed, to however many addresses. */
  private async compareRecords(world: World): Promise<void> {
    const installs = world.apps.reduce((sum, { app }) => sum + app.installCount, 0);
    const [row] = await this.service.sql<{ installs: number; news: string[] | null }>(
      `select (select count(*)::int from installations) as installs,
        (select array_agg(kind) from (
          select distinct data->>'eventId', data->>'kind' as kind from pgboss.job where name = 'notifications') events) as news`,
    );
    expect(row!.installs).toBe(installs);
    expect((row!.news ?? []).toSorted()).toEqual(world.news.toSorted());
  }

  private async credential(bearer: Bearer): Promise<string | null> {
    if (bearer.kind === 'none') return null;
    if (bearer.kind === 'garbage') return 'garbage';
    if (bearer.kind === 'mistyped key') return mistypedKey;
    if (bearer.kind === 'admin') return this.service.admin();
    if (bearer.kind === 'key') return bearer.key.key;
    const known = this.tokens.get(bearer.accountUserId) ?? (await this.service.token(bearer.accountUserId));
    this.tokens.set(bearer.accountUserId, known);
    return known;
  }
}

function describe(world: World, bearer: Bearer): string {
  const owner = (accountUserId = '') =>
    ['Ada', 'Bob', 'Cleo'][accounts.indexOf(accountUserId as never)] ?? 'nobody';
  if (bearer.kind === 'token') return `${owner(bearer.accountUserId)}'s token`;
  if (bearer.kind === 'key')
    return `${owner(world.ownerOf(bearer)?.accountUserId)}'s key [${bearer.key.scopes}]`;
  return bearer.kind;
}

interface Window {
  since: number;
  until: number;
}

function compare(predicted: Prediction, outcome: Outcome, window: Window): void {
  const { code, message, details } = outcome;
  if (predicted.code !== code) {
    const got = code
      ? `${code}: ${message} ${JSON.stringify(details)}`
      : `ok: ${JSON.stringify(outcome.data)}`;
    throw new Error(`The model says ${predicted.code ?? 'ok'}, the service says ${got}`);
  }
  if (predicted.code !== null) return;
  expect({ answer: outcome.data }).toMatchObject({ answer: settled(predicted.data, outcome.data, window) });
  if (predicted.about) learn(predicted.about, outcome.data);
}

/** Returns the prediction, with the values that the service made up (ids, times) in place of its own, where they are plausible. */
function settled(predicted: unknown, actual: unknown, window: Window): unknown {
  if (typeof predicted === 'string') return plausible(predicted, actual, window) ? actual : predicted;
  if (Array.isArray(predicted))
    return predicted.map((item, i) => settled(item, (actual as unknown[])?.[i], window));
  if (typeof predicted !== 'object' || predicted === null) return predicted;
  const entries = Object.entries(predicted).map(([field, value]) => [
    field,
    settled(value, (actual as Record<string, unknown> | null)?.[field], window),
  ]);
  return Object.fromEntries(entries);
}

function plausible(predicted: string, actual: unknown, { since, until }: Window): boolean {
  if (predicted === fresh) return typeof actual === 'string' && actual.length >= 12;
  const days = predicted === now ? '0' : /^<in (\d+) days>$/.exec(predicted)?.[1];
  if (days === undefined) return false;
  const time = Date.parse(String(actual)) - Number(days) * dayMs;
  return time >= since && time <= until;
}

/** Takes over what the service made up; from now on it must stay so. */
function learn(about: object, data: unknown): void {
  const target = about as Record<string, unknown>;
  for (const [field, value] of Object.entries(data as Record<string, unknown>)) {
    const known = target[field];
    if (typeof known === 'string' && /^<.*>$/.test(known)) target[field] = value;
    if (field === 'rejection' && known && value) learn(known, value);
  }
}
