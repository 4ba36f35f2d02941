import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { Config } from '../../config.js';
import { ServiceError } from '../../errors.js';
import type { Job, Jobs } from '../../jobs.js';
import { App } from '../apps/app.entity.js';
import type { AppChanges } from '../apps/app.input.js';
import { type Finding, Severity } from '../apps/finding.types.js';
import { listingOf, normalized } from '../apps/listing.difference.js';
import type { Listing } from '../apps/listing.entity.js';
import { AppVersion } from '../versions/app-version.entity.js';
import type { AssetChecker, AssetResult } from './asset.checker.js';
import { linkField } from './asset.rules.js';
import { AssetCheck } from './asset-check.entity.js';

/** What was found before a transaction, and of which revision it speaks. */
export interface CheckedAssets {
  revision: number;
  results: AssetResult[];
}

/** Whose pictures are checked. */
type Subject = App | AppVersion;

/** In one request: a listing has up to nine addresses of up to 10 MB each. */
const maxListingsFetched = 1;

/** How the pictures of a submission are checked, by `ASSET_CHECKS` (D24). */
export class AssetCheckService {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: Jobs,
    private readonly checker: AssetChecker,
    private readonly mode: Config['assetChecks'],
  ) {}

  get isOn(): boolean {
    return this.mode !== 'off';
  }

  get isEnforced(): boolean {
    return this.mode === 'enforce';
  }

  /** What a listing's addresses hold right now. Fetches from outside: never inside a transaction. */
  async check(listing: Listing): Promise<AssetResult[]> {
    return this.isOn ? this.checker.check(listing) : [];
  }

  /**
   * What `enforce` has to know before a transaction that would make a listing wait for review, or change one that waits.
   * Finds the subject only where the transaction would come so far: what is wrong otherwise, that will say.
   */
  async checkBefore(
    find: () => Promise<Subject | null>,
    changes: z.output<typeof AppChanges> = {},
  ): Promise<CheckedAssets | null> {
    const subject = this.isEnforced ? await find() : null;
    if (!subject) return null;
    const results = await this.check({ ...listingOf(subject), ...normalized(changes) });
    return { revision: subject.revision, results };
  }

  /** What `enforce` found before the transaction, as findings; refuses if that was of something else. */
  require(checked: CheckedAssets | null, revision: number): Finding[] {
    if (!this.isEnforced) return [];
    if (checked?.revision === revision) return this.findings(checked.results);
    throw new ServiceError(
      'REVISION_CONFLICT',
      'It changed while its pictures were being checked. Read it again and repeat your call.',
    );
  }

  /** Keeps what was found with the submission, or has it looked for once the transaction is over. */
  async attach(subject: Subject, checked: CheckedAssets | null): Promise<void> {
    if (!this.isOn) return;
    if (this.isEnforced) return this.record(subject, checked?.results ?? []);
    await this.checkLater(subject);
  }

  /** Has the present revision checked once the transaction is over. */
  async checkLater(subject: Subject): Promise<void> {
    if (!this.isOn) return;
    const versionId = subject instanceof AppVersion ? subject.id : null;
    const { revision } = subject;
    await this.jobs.enqueue(this.em, 'asset-checks', { appId: appIdOf(subject), versionId, revision });
  }

  /** Does the recorded work of `warn`. A revision that is no more needs no check: its successor has a job of its own. */
  async work({ data }: Job): Promise<void> {
    const { appId, versionId, revision } = data as {
      appId: string;
      versionId?: string | null;
      revision: number;
    };
    const subject = versionId
      ? await this.em.findOne(AppVersion, { id: versionId, revision })
      : await this.em.findOne(App, { id: appId, revision });
    if (subject) await this.record(subject, await this.check(subject));
  }

  /** What is known of each listing's present revision, in one query. */
  async known(subjects: readonly Subject[]): Promise<Finding[][]> {
    if (!this.isOn) return subjects.map(() => []);
    const rows = await this.em.find(
      AssetCheck,
      { $or: subjects.map(({ id, revision }) => ({ listingId: id, revision })), ok: false },
      { orderBy: { field: 'asc' }, disableIdentityMap: true },
    );
    return subjects.map(({ id }) => this.findings(rows.filter(({ listingId }) => listingId === id)));
  }

  /**
   * What `enforce` would refuse the submission of each listing for. The pictures of the first listing are fetched,
   * unless that was done within the last minute; of the others it says what is known.
   */
  async refusals(subjects: readonly Subject[]): Promise<Finding[][]> {
    if (!this.isEnforced) return subjects.map(() => []);
    const checked = subjects.filter(isSubmittable).slice(0, maxListingsFetched);
    const results = await Promise.all(checked.map((subject) => this.checker.checkLately(subject)));
    const others = subjects.filter((subject) => !checked.includes(subject));
    const known = others.length > 0 ? await this.known(others) : [];
    return subjects.map((subject) =>
      checked.includes(subject)
        ? this.findings(results[checked.indexOf(subject)]!)
        : known[others.indexOf(subject)]!,
    );
  }

  findings(results: readonly AssetResult[]): Finding[] {
    return results.flatMap(({ field, problem }) => {
      if (!problem) return [];
      // A link may be down for an hour; a picture is ours to show.
      const refuses = this.isEnforced && field !== linkField;
      return [{ field, severity: refuses ? Severity.ERROR : Severity.WARNING, ...problem }];
    });
  }

  private async record(subject: Subject, results: readonly AssetResult[]): Promise<void> {
    if (results.length === 0) return;
    const of = { listingId: subject.id, appId: appIdOf(subject), revision: subject.revision };
    // Nobody reads what was found of an earlier revision.
    await this.em.nativeDelete(AssetCheck, { listingId: subject.id, revision: { $lt: subject.revision } });
    // In one order, so that two workers with the same job wait for each other in a line.
    const rows = results
      .map((result) => ({ ...of, ...result }))
      .sort((one, other) => one.field.localeCompare(other.field));
    await this.em.upsertMany(AssetCheck, rows);
  }
}

/** Whether a submission would come so far as to look at the pictures. */
const isSubmittable = ({ status }: Subject) => status === 'DRAFT' || status === 'REJECTED';

const appIdOf = (subject: Subject) => (subject instanceof AppVersion ? subject.app.id : subject.id);
