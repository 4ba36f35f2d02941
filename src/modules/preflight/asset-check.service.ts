import type { EntityManager } from '@mikro-orm/postgresql';
import type { Config } from '../../config.js';
import { ServiceError } from '../../errors.js';
import type { Job, Jobs } from '../../jobs.js';
import { App } from '../apps/app.entity.js';
import type { Listing } from '../apps/app.listing.js';
import { type Finding, Severity } from '../apps/finding.types.js';
import type { AssetChecker, AssetResult } from './asset.checker.js';
import { linkField } from './asset.rules.js';
import { AssetCheck } from './asset-check.entity.js';

/** What was found before a transaction, and of which revision it speaks. */
export interface CheckedAssets {
  revision: number;
  results: AssetResult[];
}

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

  /** What `enforce` found before the transaction, as findings; refuses if that was of something else. */
  require(checked: CheckedAssets | null, revision: number): Finding[] {
    if (!this.isEnforced) return [];
    if (checked?.revision === revision) return this.findings(checked.results);
    throw new ServiceError(
      'REVISION_CONFLICT',
      'The app changed while its pictures were being checked. Read it again and repeat your call.',
    );
  }

  /** Keeps what was found with the submission, or has it looked for once the transaction is over. */
  async attach({ id, revision }: App, checked: CheckedAssets | null): Promise<void> {
    if (!this.isOn) return;
    if (this.isEnforced) return this.record(id, revision, checked?.results ?? []);
    await this.jobs.enqueue(this.em, 'asset-checks', { appId: id, revision });
  }

  /** Does the recorded work of `warn`. A revision that is no more needs no check: its successor has a job of its own. */
  async work({ data }: Job): Promise<void> {
    const { appId, revision } = data as { appId: string; revision: number };
    const app = await this.em.findOne(App, { id: appId, revision });
    if (app) await this.record(appId, revision, await this.check(app));
  }

  /** What is known of each app's present revision, in one query. */
  async known(apps: readonly App[]): Promise<Finding[][]> {
    if (!this.isOn) return apps.map(() => []);
    const rows = await this.em.find(
      AssetCheck,
      { $or: apps.map(({ id, revision }) => ({ appId: id, revision })), ok: false },
      { orderBy: { field: 'asc' }, disableIdentityMap: true },
    );
    return apps.map(({ id }) => this.findings(rows.filter(({ appId }) => appId === id)));
  }

  findings(results: readonly AssetResult[]): Finding[] {
    return results.flatMap(({ field, problem }) => {
      if (!problem) return [];
      // A link may be down for an hour; a picture is ours to show.
      const refuses = this.isEnforced && field !== linkField;
      return [{ field, severity: refuses ? Severity.ERROR : Severity.WARNING, ...problem }];
    });
  }

  private async record(appId: string, revision: number, results: readonly AssetResult[]): Promise<void> {
    if (results.length === 0) return;
    await this.em.upsertMany(
      AssetCheck,
      results.map((result) => ({ appId, revision, ...result })),
    );
  }
}
