import type { Input } from '../support/api-client.js';
import { type Developer, fresh, inDays, type Key, keyView, normalized, now } from './records.js';
import { type Act, change, newestFirst, record, refuse, type World } from './world.js';

/** Developers, their keys, and what administrators do with them (D9 to D16). */
export const people = {
  registerDeveloper: (world, input, _me, bearer) => {
    const { accountUserId, ...profile } = profileOf(input);
    if (bearer.kind !== 'token' || bearer.accountUserId !== accountUserId) refuse('ACCOUNT_MISMATCH');
    if (world.developerOf(accountUserId)) refuse('DEVELOPER_EXISTS');
    requireFreeEmail(world, profile.email, null);
    const developer: Developer = {
      ...noProfile,
      ...profile,
      accountUserId,
      emailProven: false,
      emailLost: false,
      id: fresh,
      status: 'UNVERIFIED',
      verifiedAt: null,
      createdAt: now,
      updatedAt: now,
    };
    world.developers.push(developer);
    return record(developer);
  },

  me: (_world, _input, me) => record(me),

  viewer: (_world, _input, me, bearer) => {
    if (bearer.kind === 'none') return { data: null };
    const isAdministrator = bearer.kind === 'admin';
    if (isAdministrator) return { data: { isAdministrator, name: null } };
    const accountUserId = bearer.kind === 'token' ? bearer.accountUserId : me.accountUserId;
    return { data: { accountUserId, isAdministrator, name: null, email: null } };
  },

  updateMe: (world, input, me, bearer) => {
    const profile = profileOf(input);
    const former = me.email;
    requireOwnNames(world, profile, me);
    if (profile.email) requireFreeEmail(world, profile.email, me);
    const isChanged = change(me, profile);
    if (me.email !== former) world.news.push('developer.email-changed');
    // Of the changes that an account makes itself, only that of the address is mailed.
    else if (isChanged && bearer.kind === 'key') world.news.push('developer.updated');
    return record(me);
  },

  developer: (world, { id }) => record(world.developer(id)),

  verifyDeveloper: (world, { id }) => {
    const developer = world.developer(id);
    if (developer.status === 'SUSPENDED') refuse('INVALID_TRANSITION');
    if (change(developer, { status: 'VERIFIED' })) {
      developer.verifiedAt = now;
      world.news.push('developer.verified');
    }
    return record(developer);
  },

  unverifyDeveloper: (world, { id }) => {
    const developer = world.developer(id);
    if (developer.status === 'SUSPENDED') refuse('INVALID_TRANSITION');
    if (change(developer, { status: 'UNVERIFIED', verifiedAt: null }))
      world.news.push('developer.unverified');
    return record(developer);
  },

  suspendDeveloper: (world, { id }) => {
    const developer = world.developer(id);
    if (change(developer, { status: 'SUSPENDED' })) world.news.push('developer.suspended');
    return record(developer);
  },

  /** A developer who was verified before keeps the date. */
  reinstateDeveloper: (world, { id }) => {
    const developer = world.developer(id);
    if (developer.status === 'SUSPENDED') {
      change(developer, { status: developer.verifiedAt ? 'VERIFIED' : 'UNVERIFIED' });
      world.news.push('developer.reinstated');
    }
    return record(developer);
  },

  createApiKey: (world, input, me, bearer) => {
    const wish = input as { name: string; scopes: Key['scopes']; expiresInDays?: number };
    const parent = bearer.kind === 'key' ? bearer.key : null;
    if (parent && (wish.expiresInDays ?? 1) > parent.days) refuse('VALIDATION_FAILED');
    if (parent && !wish.scopes.every((scope) => parent.scopes.includes(scope))) refuse('INSUFFICIENT_SCOPE');
    const days = Math.min(wish.expiresInDays ?? 90, parent?.days ?? 365);
    const key: Key = {
      id: fresh,
      key: fresh,
      name: wish.name.trim(),
      scopes: [...new Set(wish.scopes)],
      days,
      revokedAt: null,
      expiresAt: parent?.days === days ? parent.expiresAt : inDays(days),
      createdAt: now,
    };
    world.keys.push({ key, owner: me });
    world.news.push('key.created');
    return { data: { ...keyView(key), key: fresh }, about: key };
  },

  myApiKeys: (world, _input, me) => ({ data: newestFirst(world.keysOf(me)).map(keyView) }),

  revokeApiKey: (world, { id }, me) => {
    const key = world.keysOf(me).find((candidate) => candidate.id === id) ?? refuse('NOT_FOUND');
    if (!key.revokedAt) {
      key.revokedAt = now;
      world.news.push('key.revoked');
    }
    return { data: keyView(key), about: key };
  },
} satisfies Record<string, Act>;

type Profile = Pick<Developer, 'accountUserId' | 'name' | 'email' | 'companyName' | 'websiteUrl' | 'bio'>;
const noProfile = { companyName: null, websiteUrl: null, bio: null };
const profileOf = (input: Input) => normalized(input) as unknown as Profile;

function requireFreeEmail(world: World, email: string, me: Developer | null): void {
  const owner = world.developers.find((other) => other.email.toLowerCase() === email.toLowerCase());
  if (owner && owner !== me) refuse('EMAIL_TAKEN');
}

/** A developer whose name the public may see takes no name or company of another verified one (D325). */
function requireOwnNames(world: World, profile: Partial<Profile>, me: Developer): void {
  const isSeen = me.verifiedAt !== null || world.appsOf(me).some(({ status }) => status === 'APPROVED');
  if (!isSeen) return;
  const others = world.developers.filter((other) => other !== me && other.verifiedAt !== null);
  const taken = others.flatMap(({ name, companyName }) => [name, companyName]);
  const changed = (['name', 'companyName'] as const).filter(
    (field) => profile[field] && profile[field] !== me[field],
  );
  if (changed.some((field) => taken.includes(profile[field] ?? null))) refuse('VALIDATION_FAILED');
}
