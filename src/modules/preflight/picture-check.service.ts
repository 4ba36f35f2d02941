import type { EntityManager } from '@mikro-orm/postgresql';
import { now } from '../../db/clock.js';
import { FetchProblem } from '../../net/fetch-problem.js';
import { enterAfterFirst, FetchSlots } from '../../net/fetch-slots.js';
import type { GuardedFetcher } from '../../net/guarded-fetch.js';
import { aboutApp, bySystem, type EventsOf } from '../events/event.service.js';
import { App } from '../listings/app.entity.js';
import { AssetCheck } from './asset-check.entity.js';
import type { AssetChecker } from './asset-checker.service.js';
import { fetchPicture } from './asset-fetches.service.js';
import {
  pictureStates,
  reviewedPictures,
  storePictures,
  takeDueApps,
  takeUncheckedApps,
} from './picture.queries.js';
import {
  comparable,
  comparePicture,
  type FetchedPicture,
  missedPicture,
  newProblems,
  type PictureState,
  picturesOf,
  type ReviewedPicture,
} from './picture.rules.js';

/** Few apps at a time, so that no request waits for them. */
export const minutesBetweenChecks = 5;
const checksPerDay = (24 * 60) / minutesBetweenChecks;
const defaultTimeoutMs = 10_000;
const appsAtOnce = 4;
/** Apps that were never checked, taken in each run beside those that are due. */
const uncheckedPerRun = 20;
const perHost = 1;
/** A picture with a problem, or whose fetch failed, is fetched again after a day. */
const daysAfterProblem = 1;
const notModified = 304;

interface PictureCheckOptions {
  /** The time in which the pictures of all public apps are fetched again. */
  days: number;
  /** Time of a fetch, without the wait for its host. */
  timeoutMs?: number;
}

interface Outcome {
  states: PictureState[];
  last: readonly PictureState[];
  /** False if a picture could not be fetched for the first time. */
  isComplete: boolean;
}

/** Fetches the pictures of public apps again, and records what differs from what was reviewed (D328). */
export class PictureCheckService {
  private readonly hosts = new FetchSlots(perHost);

  constructor(
    private readonly fork: () => EntityManager,
    private readonly eventsOf: EventsOf,
    private readonly fetcher: Pick<GuardedFetcher, 'fetch'>,
    private readonly checker: AssetChecker,
    private readonly options: PictureCheckOptions,
  ) {}

  /** Checks the apps that are due, and apps that were never checked. */
  async checkDue(signal: AbortSignal): Promise<void> {
    const { days } = this.options;
    const db = this.fork().getKysely();
    const due = await takeDueApps(days, days * checksPerDay).execute(db);
    const rows = [...due.rows, ...(await takeUncheckedApps(uncheckedPerRun).execute(db)).rows];
    const worker = async () => {
      for (let app = rows.pop(); app && !signal.aborted; app = rows.pop())
        await this.checkApp(app.id, signal);
    };
    await Promise.all(Array.from({ length: appsAtOnce }, worker));
  }

  private async checkApp(id: string, signal: AbortSignal): Promise<void> {
    const em = this.fork();
    const app = await em.findOne(App, { id });
    if (!app) return;
    const pictures = picturesOf(app);
    const urls = pictures.map(({ url }) => url);
    const { rows: reviewed } = await reviewedPictures(id, urls).execute(em.getKysely());
    const last = (await pictureStates([id]).execute(em.getKysely())).rows[0]?.pictures ?? [];
    const states: PictureState[] = [];
    const unchecked: string[] = [];
    for (const { field, url } of pictures) {
      const review = reviewed.find((one) => one.url === url);
      if (!review) unchecked.push(field);
      const before = last.find((one) => one.field === field);
      if (review) states.push(await this.check(field, review, comparable(before, review), signal));
    }
    const isComplete = unchecked.length === 0 || (await this.checkFirst(app, unchecked));
    // A fetch that was interrupted says nothing.
    if (!signal.aborted) await this.record(app, { states, last, isComplete });
  }

  /**
   * Stores pictures that were never checked as they are now, as if they had been reviewed so: later fetches, and pictures
   * of other apps, are compared with them. Returns whether all of them were fetched.
   */
  private async checkFirst(app: App, fields: readonly string[]): Promise<boolean> {
    const results = await this.checker.check(app, app.developer.id);
    const fetched = results.filter(({ field, sha256 }) => sha256 !== null && fields.includes(field));
    const { id, revision } = app;
    const rows = fetched.map((result) => ({ listingId: id, appId: id, revision, ...result }));
    if (rows.length > 0) await this.fork().upsertMany(AssetCheck, rows);
    return rows.length === fields.length;
  }

  private async check(
    field: string,
    reviewed: ReviewedPicture,
    last: PictureState | null,
    signal: AbortSignal,
  ): Promise<PictureState> {
    try {
      return comparePicture(field, reviewed, await this.fetch(reviewed.url, last, signal), now(), last);
    } catch (error) {
      if (!(error instanceof FetchProblem)) throw error;
      return missedPicture(field, reviewed, error.message, now(), last);
    }
  }

  /**
   * Fetches a picture, or asks its server whether it has changed since it was the reviewed one. The time begins with the
   * turn of the host: a wait for other pictures says nothing about the server.
   */
  private async fetch(url: string, last: PictureState | null, signal: AbortSignal): Promise<FetchedPicture> {
    const { etag = null, lastModified = null } = last?.problem ? {} : (last ?? {});
    const leave = await this.hosts.enter(new URL(url).hostname, signal);
    const { status, headers, header, sha256, host } = await fetchPicture(this.fetcher, url, {
      headers: {
        ...(etag && { 'if-none-match': etag }),
        ...(lastModified && { 'if-modified-since': lastModified }),
      },
      timeoutMs: this.options.timeoutMs ?? defaultTimeoutMs,
      signal,
      enter: enterAfterFirst(leave, ({ hostname }) => this.hosts.enter(hostname, signal)),
      inspect: (found) => {
        const isUnchanged = found === notModified && (etag !== null || lastModified !== null);
        if (found !== 200 && !isUnchanged)
          throw new FetchProblem('http_error', `The server responded with status ${found}.`);
      },
    }).finally(leave);
    if (status === notModified) return null;
    return {
      sha256,
      host,
      width: header?.size?.width ?? null,
      height: header?.size?.height ?? null,
      etag: textOf(headers.etag),
      lastModified: textOf(headers['last-modified']),
    };
  }

  private async record(app: App, { states, last, isComplete }: Outcome): Promise<void> {
    const isDueSoon = !isComplete || states.some(({ problem, failures }) => problem !== null || failures > 0);
    const days = isDueSoon ? Math.min(daysAfterProblem, this.options.days) : this.options.days;
    const pictures = newProblems(states, last);
    await this.fork().transactional(async (em) => {
      await storePictures(app.id, states, days).execute(em.getKysely());
      if (pictures.length > 0)
        await this.eventsOf(em, 'picture-checks').record(bySystem, {
          kind: 'app.pictures_changed',
          ...aboutApp(app),
          pictures,
        });
    });
  }
}

const textOf = (header: string | string[] | undefined): string | null =>
  typeof header === 'string' ? header : null;
