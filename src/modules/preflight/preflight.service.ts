import type { EntityManager } from '@mikro-orm/postgresql';
import type { DeveloperCaller } from '../../auth/caller.js';
import { notFound } from '../../errors.js';
import { App } from '../apps/app.entity.js';
import { type Finding, Severity } from '../apps/finding.types.js';
import { findingsOf } from '../apps/listing.rules.js';
import { AppVersion } from '../versions/app-version.entity.js';
import type { AssetCheckService } from './asset-check.service.js';
import { fillSomeSkeletons } from './name.queries.js';
import { nameSkeleton } from './name.skeleton.js';
import { listingsWithNamesOfOthers } from './preflight.queries.js';
import type { Preflight } from './preflight.types.js';

/** Tells all that the automatic checks find, before a submission and after it. */
export class PreflightService {
  constructor(
    private readonly em: EntityManager,
    private readonly assetChecks: AssetCheckService,
  ) {}

  /** The same checks as a submission's, of an app or of a version, with everything fetched anew. */
  async preflight(caller: DeveloperCaller, id: string): Promise<Preflight> {
    const developer = caller.developer.id;
    const subject =
      (await this.em.findOne(App, { id, developer })) ??
      (await this.em.findOne(AppVersion, { id, app: { developer } }));
    if (!subject) throw notFound('app or version');
    const [names] = await this.namesOfOthers([subject]);
    const findings = [
      ...findingsOf(subject),
      ...names!,
      ...this.assetChecks.findings(await this.assetChecks.check(subject)),
    ];
    return { ready: findings.every(({ severity }) => severity !== Severity.ERROR), findings };
  }

  /** What is known of each listing without fetching anything: a whole list in two queries. */
  async known(subjects: readonly (App | AppVersion)[]): Promise<Finding[][]> {
    const names = await this.namesOfOthers(subjects);
    const assets = await this.assetChecks.known(subjects);
    return subjects.map((subject, i) => [...findingsOf(subject), ...names[i]!, ...assets[i]!]);
  }

  /** What pictures would have a submission refused for. */
  async beforeSubmission(subjects: readonly (App | AppVersion)[]): Promise<Finding[][]> {
    return this.assetChecks.refusals(subjects);
  }

  private async namesOfOthers(subjects: readonly (App | AppVersion)[]): Promise<Finding[][]> {
    // What became public since the last look is compared by its looks, too.
    await fillSomeSkeletons(this.em);
    const listings = subjects.map(({ id, name }) => ({ id, skeleton: nameSkeleton(name) }));
    const { rows } = await listingsWithNamesOfOthers(listings).execute(this.em.getKysely());
    const taken = new Map(rows.map(({ id, name }) => [id, name]));
    return subjects.map(({ id }) => {
      const other = taken.get(id);
      return other === undefined ? [] : [sameName(other)];
    });
  }
}

const sameName = (name: string): Finding => ({
  field: 'name',
  severity: Severity.WARNING,
  code: 'duplicate',
  message: `Another developer has a public app whose name looks the same: "${name}".`,
  fix: 'Choose a name that users cannot confuse with it.',
});
