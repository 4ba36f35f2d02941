import { isDeepStrictEqual } from 'node:util';
import type { Input } from '../support/api-client.js';
import { type App, type Developer, type Key, now } from './records.js';
import { type Bearer, Refusal } from './rules.js';

/** An app, and what only the service knows of it. */
export interface OwnedApp {
  app: App;
  owner: Developer;
  installations: Set<string>;
}

/** A decision of an administrator on an app. */
export interface Decision {
  app: App;
  outcome: 'APPROVED' | 'REJECTED';
  revision: number;
  note: string | null;
  rejection: App['rejection'];
}

/** Everything that is so. */
export class World {
  readonly developers: Developer[] = [];
  readonly keys: { key: Key; owner: Developer }[] = [];
  readonly apps: OwnedApp[] = [];
  /** The place that a withdrawn submission kept, by app: when it was first submitted, and at which revision it was withdrawn. */
  readonly keptPlaces = new Map<string, { since: string; revision: number }>();
  /** Apps in review that an administrator has claimed. */
  readonly claimed = new Set<App>();
  /** Decisions on the apps that still exist, oldest first. */
  readonly decisions: Decision[] = [];
  /** Notifications that were recorded. */
  readonly news: string[] = [];

  developerOf(accountUserId: string): Developer | null {
    return this.developers.find((developer) => developer.accountUserId === accountUserId) ?? null;
  }

  ownerOf(bearer: Bearer): Developer | null {
    if (bearer.kind === 'token') return this.developerOf(bearer.accountUserId);
    if (bearer.kind === 'key') return this.keys.find(({ key }) => key === bearer.key)?.owner ?? null;
    return null;
  }

  developer(id: unknown): Developer {
    return this.developers.find((developer) => developer.id === id) ?? refuse('NOT_FOUND');
  }

  /** Since when an app waits. */
  placeOf(app: App): string {
    return this.keptPlaces.get(app.id)?.since ?? app.submittedAt!;
  }

  ownerOfApp(app: App): Developer {
    return this.apps.find((entry) => entry.app === app)!.owner;
  }

  app(id: unknown): App {
    return this.apps.find(({ app }) => app.id === id)?.app ?? refuse('NOT_FOUND');
  }

  /** Someone else's is as good as none. */
  ownApp(id: unknown, me: Developer): App {
    return this.apps.find(({ app, owner }) => app.id === id && owner === me)?.app ?? refuse('NOT_FOUND');
  }

  appsOf(me: Developer): App[] {
    return this.apps.filter(({ owner }) => owner === me).map(({ app }) => app);
  }

  keysOf(me: Developer): Key[] {
    return this.keys.filter(({ owner }) => owner === me).map(({ key }) => key);
  }
}

/** The result of an act; the record takes new times and ids from the real response. */
export interface Answer {
  data: unknown;
  about?: object;
}

/** One act: its changes and its result, or its refusal. `me` is the acting developer, if there is one. */
export type Act = (world: World, input: Input, me: Developer, bearer: Bearer) => Answer;

export const record = (about: object): Answer => ({ data: about, about });

export function refuse(code: string): never {
  throw new Refusal(code);
}

/** Assigns the changed fields, and returns whether there were any. */
export function change<T extends { updatedAt: string }>(target: T, changes: Partial<T>): boolean {
  const differs = ([field, value]: [string, unknown]) => !isDeepStrictEqual(target[field as keyof T], value);
  if (!Object.entries(changes).some(differs)) return false;
  Object.assign(target, changes, { updatedAt: now });
  return true;
}

export const newestFirst = <T extends { createdAt: string; id: string }>(records: T[]): T[] =>
  records.toSorted((a, b) => descending(a.createdAt, b.createdAt) || descending(a.id, b.id));

export const ascending = <T extends string | number>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0);
export const descending = <T extends string | number>(a: T, b: T) => ascending(b, a);
