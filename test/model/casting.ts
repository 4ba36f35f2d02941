import type { Input } from '../support/api-client.js';
import type { Plan } from './acts.js';
import type { Request } from './model.js';
import type { App, Key } from './records.js';
import { type Bearer, type Operation, ruleOf } from './rules.js';
import type { World } from './world.js';

/** The accounts behind the developers' names. */
export const accounts = ['model-ada', 'model-bob', 'model-cleo'] as const;

const editable: App['status'][] = ['DRAFT', 'PENDING', 'REJECTED'];
/** The states in which an act on an app makes sense; an empty list: in any. */
const fitting: Partial<Record<Operation, App['status'][]>> = {
  myApp: [],
  adminApp: [],
  appAnalytics: [],
  updateApp: editable,
  deleteApp: editable,
  submitApp: ['DRAFT', 'REJECTED'],
  withdrawApp: ['PENDING'],
  approveApp: ['PENDING'],
  rejectApp: ['PENDING'],
  suspendApp: ['APPROVED'],
  restoreApp: ['SUSPENDED'],
  featureApp: ['APPROVED'],
  editApp: ['APPROVED', 'SUSPENDED'],
  recordInstall: ['APPROVED'],
  app: ['APPROVED'],
};
const onDevelopers: Operation[] = [
  'developer',
  'publicDeveloper',
  'verifyDeveloper',
  'unverifyDeveloper',
  'suspendDeveloper',
  'reinstateDeveloper',
];
const missingId = '018f0000-0000-7000-8000-000000000000';

const pick = <T>(items: readonly T[], nth: number): T | undefined => items[nth % (items.length || 1)];

/** Makes a plan a call: who exactly, with which credential, on what. */
export function cast(world: World, plan: Plan): Request {
  const { operation, api, flaw } = plan;
  const { input, account } = roleOf(world, plan);
  return {
    operation,
    api,
    flaw,
    bearer: bearerOf(world, plan, account),
    input: { ...input, ...plan.input },
  };
}

/** Chooses the caller, and completes the input. */
interface Role {
  account: string;
  input: Input;
}

function roleOf(world: World, plan: Plan): Role {
  const { operation, who, nth } = plan;
  if (operation === 'registerDeveloper') return newcomer(world, plan);
  if (fitting[operation]) return appOf(world, plan);
  const developer = pick(world.developers, who + nth);
  const account = developer?.accountUserId ?? accounts[who]!;
  if (onDevelopers.includes(operation)) {
    const all = developer ? [developer] : [];
    return { account, input: { id: idOf(plan, all, world.developers) } };
  }
  if (operation !== 'revokeApiKey') return { account, input: {} };
  const mine = developer ? world.keysOf(developer) : [];
  const foreign = world.keys.filter(({ owner }) => owner !== developer).map(({ key }) => key);
  return { account, input: { id: idOf(plan, mine, foreign) } };
}

/** An account that has not registered yet, where the plan allows it. */
function newcomer(world: World, { aim, who }: Plan): Role {
  const strangers = accounts.filter((candidate) => !world.developerOf(candidate));
  const account = (aim === 'fitting' && pick(strangers, who)) || accounts[who]!;
  const email = `${account.replace('model-', '')}@example.com`;
  return { account, input: { accountUserId: account, email } };
}

/** An app by its id or its slug, the revision where one is named; its owner acts. */
function appOf(world: World, plan: Plan): Role {
  const { operation, aim, who, nth, revision } = plan;
  const suitable = world.apps.filter(({ app }) => fitting[operation]!.includes(app.status));
  const hero = pick(aim === 'fitting' && suitable.length ? suitable : world.apps, who + nth);
  const everyApp = world.apps.map(({ app }) => app);
  const foreign = world.apps.filter(({ owner }) => owner !== hero?.owner).map(({ app }) => app);
  const id = idOf(plan, hero ? [hero.app] : [], foreign);
  const account = hero?.owner.accountUserId ?? accounts[who]!;
  const app = everyApp.find((candidate) => candidate.id === id);
  if (operation === 'app' || operation === 'recordInstall')
    return { account, input: { slug: app?.slug ?? (nth % 2 ? 'nowhere' : 'No/Slug') } };
  const mustName = operation === 'approveApp' || operation === 'rejectApp';
  const mayName = operation === 'updateApp' || operation === 'deleteApp';
  const named = mustName || (mayName && revision) ? { revision: revisionOf(app, revision) } : {};
  return { account, input: { id, ...named } };
}

function revisionOf(app: App | undefined, wanted: Plan['revision']): number {
  const current = app?.revision ?? 1;
  if (wanted !== 'stale') return current;
  return current === 1 ? 2 : current - 1;
}

function idOf({ aim, who, nth }: Plan, near: { id: string }[], foreign: { id: string }[]): string {
  if (aim === 'not an id') return 'not-an-id';
  const candidates = { fitting: near, any: near, "someone else's": foreign, missing: [] }[aim];
  return pick(candidates, who + nth)?.id ?? missingId;
}

function bearerOf(world: World, plan: Plan, account: string): Bearer {
  const { who, by, nth } = plan;
  const token = (accountUserId: string): Bearer => ({ kind: 'token', accountUserId });
  const keyOr = (key: Key | undefined, otherwise: Bearer): Bearer => (key ? { kind: 'key', key } : otherwise);
  switch (by) {
    case 'right':
      return rightBearer(world, plan, account);
    case 'their token':
      return token(account);
    case "anyone's token":
      return token(accounts[who]!);
    case "anyone's key":
      return keyOr(pick(world.keys, nth)?.key, { kind: 'mistyped key' });
    case 'a narrow key':
      return keyOr(
        world.keys.find(({ key, owner }) => owner.accountUserId === account && key.scopes.length < 5)?.key,
        token(account),
      );
    default:
      return { kind: by };
  }
}

/** The credential and the API that a caller who knows the contract would use. */
function rightBearer(world: World, { operation, api, nth }: Plan, account: string): Bearer {
  const { may: needed, scope } = ruleOf(operation);
  const token: Bearer = { kind: 'token', accountUserId: account };
  if (needed === 'anyone') return { kind: 'none' };
  if (needed === 'admin') return { kind: 'admin' };
  if (needed === 'optional') return nth % 3 === 0 ? { kind: 'none' } : token;
  if (needed === 'account' || (nth % 2 && api === 'graphql')) return token;
  const me = world.developerOf(account);
  const alive = me ? world.keysOf(me).filter(({ revokedAt }) => !revokedAt) : [];
  const sufficient = alive.filter(({ scopes }) => !scope || scopes.some((held) => held === scope));
  const key = pick(sufficient, nth) ?? alive[0];
  return key ? { kind: 'key', key } : token;
}
