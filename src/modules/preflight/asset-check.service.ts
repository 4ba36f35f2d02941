import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { Config } from '../../config.js';
import { revisionConflict, ServiceError } from '../../errors.js';
import type { Job, JobQueue } from '../../jobs.js';
import { App } from '../listings/app.entity.js';
import { AppVersion } from '../listings/app-version.entity.js';
import { type Finding, Severity } from '../listings/finding.types.js';
import type { Listing } from '../listings/listing.entity.js';
import type { AppChanges } from '../listings/listing.input.js';
import { listingOf, normalized } from '../listings/listing-change.rules.js';
import type { CheckShare } from '../quotas/quota.service.js';
import { linkField } from './asset.rules.js';
import { AssetCheck } from './asset-check.entity.js';
import type { AssetChecker, AssetResult } from './asset-checker.service.js';

/** Results of a check that ran before a transaction, with the revision that was checked. */
export interface CheckedAssets {
  revision: number;
  results: AssetResult[];
}

type CheckedListing = App | AppVersion;

/** Checks the images and links of submissions, depending on `ASSET_CHECKS` (D24). */
export class AssetCheckService {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: JobQueue,
    private readonly checker: AssetChecker,
    private readonly mode: Config['assetChecks'],
    /** Charges a check to a developer's daily quota; not where the worker runs a check that was charged before. */
    private readonly charge: (developerId: string, share: CheckShare) => Promise<void> = async () =>
      undefined,
  ) {}

  get isOn(): boolean {
    return this.mode !== 'off';
  }

  get isEnforced(): boolean {
    return this.mode === 'enforce';
  }

  /**
   * Checks a listing now. Must not be called inside a transaction, because it waits for other servers. The results of a
   * submission are stored, so it fetches again what had a problem.
   */
  async check(
    listing: Listing,
    developerId: string,
    share: CheckShare = 'preflights',
  ): Promise<AssetResult[]> {
    if (!this.isOn) return [];
    return this.checker.check(listing, developerId, {
      repeatsProblems: share === 'submissions',
      charge: () => this.charge(developerId, share),
    });
  }

  /**
   * With `enforce`, checks a listing before the transaction that submits it, or that changes a submitted one. `find` returns
   * null where that transaction would fail anyway: then there is no check, and the transaction reports the error.
   */
  async checkBefore(
    find: () => Promise<CheckedListing | null>,
    changes: z.output<typeof AppChanges> = {},
  ): Promise<CheckedAssets | null> {
    const subject = this.isEnforced ? await find() : null;
    if (!subject) return null;
    const listing = { ...listingOf(subject), ...normalized(changes) };
    const results = await this.check(listing, await developerOf(subject), 'submissions');
    return { revision: subject.revision, results };
  }

  /** With `enforce`, returns the findings of the check before the transaction. Rejects if another revision was checked. */
  require(checked: CheckedAssets | null, revision: number): Finding[] {
    if (!this.isEnforced) return [];
    if (checked?.revision === revision) return this.findings(checked.results);
    throw revisionConflict(
      'The listing changed while its images were being checked. Read it again and repeat your request.',
      revision,
    );
  }

  /** Stores the results of a submission with `enforce`; with `warn`, schedules a check for after the transaction. */
  async attach(subject: CheckedListing, checked: CheckedAssets | null): Promise<void> {
    if (!this.isOn) return;
    if (this.isEnforced) return this.record(subject, checked?.results ?? []);
    // Charged in any case: whether the worker has to fetch is not known here.
    await this.charge(await developerOf(subject), 'submissions');
    await this.checkLater(subject);
  }

  /** Schedules a check of the current revision, which runs after the transaction. */
  async checkLater(subject: CheckedListing): Promise<void> {
    if (!this.isOn) return;
    const versionId = subject instanceof AppVersion ? subject.id : null;
    const { revision } = subject;
    const data = { appId: appIdOf(subject), versionId, revision };
    // Slow servers of one developer delay the checks of no other.
    await this.jobs.enqueue(this.em, 'asset-checks', data, { group: { id: await developerOf(subject) } });
  }

  /** Runs a scheduled check. An outdated revision is skipped, because the newer one has its own job. */
  async work({ data }: Pick<Job, 'data'>): Promise<void> {
    const { appId, versionId, revision } = data as {
      appId: string;
      versionId?: string | null;
      revision: number;
    };
    const subject = versionId
      ? await this.em.findOne(AppVersion, { id: versionId, revision })
      : await this.em.findOne(App, { id: appId, revision });
    if (!subject) return;
    const results = await this.check(subject, await developerOf(subject), 'submissions');
    // The job is repeated.
    if (results.some(({ problem }) => problem?.code === 'busy'))
      throw new Error('too many fetches are running');
    await this.record(subject, results);
  }

  /** Returns the stored results of each listing's current revision, in one query. */
  async storedResults(subjects: readonly CheckedListing[]): Promise<AssetResult[][]> {
    if (!this.isOn) return subjects.map(() => []);
    const rows = await this.em.find(
      AssetCheck,
      { $or: subjects.map(({ id, revision }) => ({ listingId: id, revision })) },
      { orderBy: { field: 'asc' }, disableIdentityMap: true },
    );
    return subjects.map(({ id }) => rows.filter(({ listingId }) => listingId === id));
  }

  /**
   * With `enforce`, returns the findings with which each listing's submission would be rejected. Only the first listing
   * is fetched, because it has up to nine URLs; for the others, and beyond the daily quota, the stored findings are returned.
   */
  async submissionFindings(subjects: readonly CheckedListing[]): Promise<Finding[][]> {
    if (!this.isEnforced) return subjects.map(() => []);
    const results = await this.storedResults(subjects);
    const first = subjects.findIndex(isSubmittable);
    if (first >= 0) results[first] = (await this.checkWithinQuota(subjects[first]!)) ?? results[first]!;
    return results.map((each) => this.findings(each));
  }

  /** Returns null beyond the daily quota. */
  private async checkWithinQuota(subject: CheckedListing): Promise<AssetResult[] | null> {
    try {
      return await this.check(subject, await developerOf(subject));
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'QUOTA_EXCEEDED') return null;
      throw error;
    }
  }

  findings(results: readonly AssetResult[]): Finding[] {
    return results.flatMap(({ field, problem }) => {
      if (!problem) return [];
      // A website can be down for an hour, so a link never rejects a submission; the marketplace itself shows the images.
      const isError = this.isEnforced && field !== linkField;
      return [{ field, severity: isError ? Severity.ERROR : Severity.WARNING, ...problem }];
    });
  }

  private async record(subject: CheckedListing, results: readonly AssetResult[]): Promise<void> {
    if (results.length === 0) return;
    const key = { listingId: subject.id, appId: appIdOf(subject), revision: subject.revision };
    // Only the results of the current revision are read.
    await this.em.nativeDelete(AssetCheck, { listingId: subject.id, revision: { $lt: subject.revision } });
    // Sorted, so that two workers with the same job lock the rows in the same order and cannot deadlock.
    const rows = results
      .map((result) => ({ ...key, ...result }))
      .sort((one, other) => one.field.localeCompare(other.field));
    await this.em.upsertMany(AssetCheck, rows);
  }
}

/** True in the states in which a submission would check the images. */
const isSubmittable = ({ status }: CheckedListing) => status === 'DRAFT' || status === 'REJECTED';

/** Returns the id of the app of a listing. */
export const appIdOf = (subject: CheckedListing) =>
  subject instanceof AppVersion ? subject.app.id : subject.id;

const developerOf = async (subject: CheckedListing): Promise<string> =>
  (subject instanceof AppVersion ? await subject.app.loadOrFail() : subject).developer.id;
