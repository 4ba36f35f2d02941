import type { Input } from '../support/api-client.js';
import { type App, type Developer, fresh, type Listing, normalized, now, slugFor } from './records.js';
import { type Act, change, type Decision, newestFirst, record, refuse, type World } from './world.js';

/** Apps, as developers and administrators handle them (D17 to D26). */
export const listings = {
  createApp: (world, input, me) => {
    const sent = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
    const listing = normalized(sent) as Pick<App, 'name' | 'description' | 'category' | 'environment'>;
    const taken = world.apps.map(({ app }) => app.slug);
    const app: App = { ...blank(), ...listing, slug: slugFor(listing.name, taken) };
    world.apps.push({ app, owner: me, installations: new Set() });
    return record(app);
  },

  myApps: (world, _input, me) => ({ data: newestFirst(world.appsOf(me)) }),

  myApp: (world, { id }, me) => record(world.ownApp(id, me)),

  adminApp: (world, { id }) => record(world.app(id)),

  adminApps: (world, { first = 20, ...filter }) => {
    const wanted = Object.entries(filter).filter(([, value]) => value != null);
    const matching = newestFirst(world.apps.map(({ app }) => app)).filter((app) =>
      wanted.every(([field, value]) => app[field as keyof App] === value),
    );
    const edges = matching.slice(0, Number(first)).map((node) => ({ node }));
    const pageInfo = { hasNextPage: matching.length > edges.length, hasPreviousPage: false };
    return { data: { edges, pageInfo, totalCount: matching.length } };
  },

  appAnalytics: (world, { id }, me) => {
    const { installCount, reviewCount, averageRating, status, featured } = world.ownApp(id, me);
    return { data: { installCount, reviewCount, averageRating, status, featured } };
  },

  updateApp: (world, { id, revision, ...sent }, me) => {
    const app = editable(world, id, me, revision);
    const changes = normalized(sent);
    if (app.status === 'PENDING') requireComplete({ ...app, ...changes });
    // The place is kept only for the revision that was withdrawn (D57).
    if (edit(app, changes) && app.status === 'PENDING') world.keptPlaces.delete(app.id);
    return record(app);
  },

  deleteApp: (world, { id, revision }, me) => {
    const app = editable(world, id, me, revision);
    const place = world.apps.findIndex((entry) => entry.app === app);
    world.apps.splice(place, 1);
    world.claimed.delete(app);
    // The history of an app is deleted with it.
    const kept = world.decisions.filter((decision) => decision.app !== app);
    world.decisions.splice(0, Infinity, ...kept);
    return { data: { id, deleted: true } };
  },

  submitApp: (world, { id }, me) => {
    const app = world.ownApp(id, me);
    requireStatus(app, 'DRAFT', 'REJECTED');
    requireComplete(app);
    if (world.keptPlaces.get(app.id)?.revision !== app.revision) world.keptPlaces.delete(app.id);
    change(app, { status: 'PENDING', submittedAt: now });
    world.news.push('app.submitted');
    return record(app);
  },

  withdrawApp: (world, { id }, me) => {
    const app = world.ownApp(id, me);
    requireStatus(app, 'PENDING');
    // Once a review has begun, the place is not kept (D57).
    if (world.claimed.delete(app)) world.keptPlaces.delete(app.id);
    else world.keptPlaces.set(app.id, { since: world.placeOf(app), revision: app.revision });
    change(app, { status: 'DRAFT', submittedAt: null });
    return record(app);
  },

  approveApp: (world, { id, revision, note }) => {
    const app = reviewed(world, id, revision, ['VERIFIED']);
    change(app, { status: 'APPROVED', approvedAt: now, rejection: null });
    decided(world, app, { outcome: 'APPROVED', note: note === undefined ? null : String(note) });
    world.news.push('app.approved');
    return record(app);
  },

  rejectApp: (world, { id, revision, reasons, guidance }) => {
    const app = reviewed(world, id, revision, ['VERIFIED', 'UNVERIFIED']);
    const stated = (reasons as Input[]).map((reason) => ({ field: null, ...reason }));
    const rejection = { reasons: stated, guidance: String(guidance), rejectedAt: now };
    change(app, { status: 'REJECTED', rejection });
    decided(world, app, { outcome: 'REJECTED', note: null });
    world.news.push('app.rejected');
    return record(app);
  },

  suspendApp: (world, { id }) => {
    const app = world.app(id);
    requireStatus(app, 'APPROVED', 'SUSPENDED');
    if (change(app, { status: 'SUSPENDED' })) world.news.push('app.suspended');
    return record(app);
  },

  restoreApp: (world, { id }) => {
    const app = world.app(id);
    requireStatus(app, 'APPROVED', 'SUSPENDED');
    if (change(app, { status: 'APPROVED' })) world.news.push('app.restored');
    return record(app);
  },

  featureApp: (world, { id, featured }) => {
    const app = world.app(id);
    if (featured) requireStatus(app, 'APPROVED');
    change(app, { featured: featured === true });
    return record(app);
  },

  editApp: (world, { id, reason: _, ...sent }) => {
    const app = world.app(id);
    requireStatus(app, 'APPROVED', 'SUSPENDED');
    const changes = normalized(sent);
    requireComplete({ ...app, ...changes });
    if (edit(app, changes)) world.news.push('app.edited');
    return record(app);
  },
} satisfies Record<string, Act>;

function decided(world: World, app: App, { outcome, note }: Pick<Decision, 'outcome' | 'note'>): void {
  world.claimed.delete(app);
  world.decisions.push({ app, outcome, note, revision: app.revision, rejection: app.rejection });
}

const blank = (): App => ({
  id: fresh,
  slug: '',
  name: '',
  description: '',
  longDescription: null,
  category: '',
  environment: '',
  logoUrl: null,
  bannerUrl: null,
  websiteUrl: null,
  oauthClientId: null,
  screenshots: [],
  status: 'DRAFT',
  featured: false,
  installCount: 0,
  reviewCount: 0,
  averageRating: 0,
  revision: 1,
  submittedAt: null,
  approvedAt: null,
  rejection: null,
  createdAt: now,
  updatedAt: now,
});

/** Each edit that changes something is a new revision. */
function edit(app: App, changes: Partial<Listing>): boolean {
  const changed = change<App>(app, changes);
  if (changed) app.revision += 1;
  return changed;
}

function requireStatus(app: App, ...statuses: App['status'][]): void {
  if (!statuses.includes(app.status)) refuse('INVALID_TRANSITION');
}

function requireComplete({ screenshots }: Pick<App, 'screenshots'>): void {
  if (screenshots.length < 2) refuse('VALIDATION_FAILED');
}

/** First the state, then the revision (D19). */
function editable(world: World, id: unknown, me: Developer, revision: unknown): App {
  const app = world.ownApp(id, me);
  if (app.status === 'APPROVED') refuse('APP_APPROVED');
  if (app.status === 'SUSPENDED') refuse('APP_SUSPENDED');
  if (revision !== undefined && revision !== app.revision) refuse('REVISION_CONFLICT');
  return app;
}

/** The state of the app, then that of its developer (D118, D119), then the revision. */
function reviewed(world: World, id: unknown, revision: unknown, owners: Developer['status'][]): App {
  const app = world.app(id);
  requireStatus(app, 'PENDING');
  if (!owners.includes(world.ownerOfApp(app).status)) refuse('INVALID_TRANSITION');
  if (revision !== app.revision) refuse('REVISION_CONFLICT');
  world.keptPlaces.delete(app.id);
  return app;
}
