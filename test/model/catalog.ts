import { Category } from '../../src/modules/listings/listing.entity.js';
import type { Input } from '../support/api-client.js';
import { type App, publicView } from './records.js';
import { type Act, ascending, descending, type OwnedApp, refuse, type World } from './world.js';

/** The public catalog (D27 to D30), and the queue that administrators see. */
export const catalog = {
  browseApps: (world, { sort, page = 1, limit = 20, ...filter }) => {
    const apps = publicApps(world, filter).toSorted(by(orders[String(sort ?? 'popular')]!));
    const size = Math.min(Number(limit), 100);
    const start = (Number(page) - 1) * size;
    const total = apps.length;
    return {
      data: {
        apps: views(apps.slice(start, start + size)),
        pagination: { page, limit: size, total, totalPages: Math.ceil(total / size) },
      },
    };
  },

  featuredApps: (world, { limit = 20, ...filter }) => {
    const apps = publicApps(world, { ...filter, featured: true }).toSorted(by(orders.popular!));
    return { data: views(apps.slice(0, Math.min(Number(limit), 100))) };
  },

  app: (world, { slug }) => ({ data: views([publicApp(world, slug)])[0] }),

  publicDeveloper: (world, { id }) => {
    const { owner } = publicApps(world, {}).find((each) => each.owner.id === id) ?? refuse('NOT_FOUND');
    const { name, companyName, websiteUrl } = owner;
    return { data: { name, companyName, websiteUrl } };
  },

  categories: (world) => ({
    data: Object.values(Category).map((category) => ({
      category,
      count: publicApps(world, { category }).length,
    })),
  }),

  recordInstall: (world, { slug, installationId }) => {
    const { app, installations } = publicApp(world, slug);
    const known = installationId !== undefined && installations.has(String(installationId));
    if (installationId !== undefined) installations.add(String(installationId));
    if (!known) app.installCount += 1;
    return { data: { slug, installCount: app.installCount } };
  },

  /** The one that has waited longest of those that nobody has claimed (D156). */
  claimNext: (world, filter) => {
    const next = waiting(world, filter).find(({ app }) => !world.claimed.has(app));
    if (!next) return { data: null };
    world.claimed.add(next.app);
    return { data: { ...queueItem(world, next), claim: { by: 'the-administrator' } } };
  },

  decisions: (world, { first = 20, outcome }) => {
    const matching = world.decisions
      .filter((decision) => outcome === undefined || decision.outcome === outcome)
      .toReversed();
    const nodes = matching.slice(0, Number(first)).map(({ app: { id }, ...decision }) => ({
      ...decision,
      app: { id },
    }));
    const pageInfo = { hasNextPage: matching.length > nodes.length, hasPreviousPage: false };
    return { data: { edges: nodes.map((node) => ({ node })), pageInfo, totalCount: matching.length } };
  },

  reviewQueue: (world, { first = 20 }) => {
    const pending = waiting(world, {});
    const nodes = pending.slice(0, Number(first)).map((entry) => queueItem(world, entry));
    const pageInfo = { hasNextPage: pending.length > nodes.length, hasPreviousPage: false };
    return { data: { edges: nodes.map((node) => ({ node })), pageInfo, totalCount: pending.length } };
  },
} satisfies Record<string, Act>;

/** The queue, longest waiting first. */
const waiting = (world: World, filter: Input): OwnedApp[] =>
  world.apps
    .filter(
      ({ app, owner }) =>
        app.status === 'PENDING' &&
        owner.status !== 'SUSPENDED' &&
        Object.entries(filter).every(([field, value]) => app[field as keyof App] === value),
    )
    .toSorted((a, b) => ascending(world.placeOf(a.app), world.placeOf(b.app)));

const queueItem = (world: World, { app, owner }: OwnedApp) => ({
  app,
  developer: owner,
  submittedAt: app.submittedAt,
  findings: [
    ...(app.logoUrl ? [] : [{ field: 'logoUrl', severity: 'WARNING' }]),
    ...(isNameOfOther(world, app, owner) ? [{ field: 'name', severity: 'WARNING' }] : []),
  ],
});

function publicApps(world: World, filter: Input): OwnedApp[] {
  const wanted = Object.entries(filter).filter(([field, value]) => field !== 'search' && value !== undefined);
  return world.apps.filter(
    ({ app, owner }) =>
      app.status === 'APPROVED' &&
      owner.status !== 'SUSPENDED' &&
      wanted.every(([field, value]) => app[field as keyof App] === value),
  );
}

/** Returns true if another developer's public app has the same name, whatever the case (D50). */
const isNameOfOther = (world: World, { name }: App, owner: OwnedApp['owner']) =>
  publicApps(world, {}).some((other) => other.owner !== owner && looks(other.app.name) === looks(name));

const publicApp = (world: World, slug: unknown): OwnedApp =>
  publicApps(world, {}).find(({ app }) => app.slug === slug) ?? refuse('NOT_FOUND');

const views = (apps: OwnedApp[]) => apps.map(({ app, owner }) => publicView(app, owner));

type Order = (a: App, b: App) => number;
const newest: Order = (a, b) => descending(a.approvedAt!, b.approvedAt!);
const popular: Order = (a, b) => descending(a.installCount, b.installCount) || newest(a, b);
/** The model has no ratings and no search. */
const orders: Record<string, Order> = {
  popular,
  newest,
  relevance: popular,
  rating: () => 0,
  name: (a, b) => ascending(a.name.toLowerCase(), b.name.toLowerCase()),
};

/** Ties go by id (D28). */
const by = (order: Order) => (a: OwnedApp, b: OwnedApp) =>
  order(a.app, b.app) || ascending(a.app.id, b.app.id);

/** Returns the form by which names are compared (D113), as far as those of the model differ: letters without case, accents and signs between. */
const looks = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase() || name;
