import type { EntityManager } from '@mikro-orm/postgresql';
import type { DeveloperCaller } from '../../auth/caller.js';
import type { App } from '../apps/app.entity.js';
import type { AppService } from '../apps/app.service.js';
import { findingsOf } from '../apps/app.submission.js';
import { type Finding, Severity } from '../apps/finding.types.js';
import type { AssetCheckService } from './asset-check.service.js';
import { appsWithNamesOfOthers } from './preflight.queries.js';
import type { Preflight } from './preflight.types.js';

/** Tells all that the automatic checks find, before a submission and after it. */
export class PreflightService {
  constructor(
    private readonly em: EntityManager,
    private readonly apps: AppService,
    private readonly assetChecks: AssetCheckService,
  ) {}

  /** The same checks as a submission's, with everything fetched anew. */
  async preflight(caller: DeveloperCaller, id: string): Promise<Preflight> {
    const app = await this.apps.get(caller, id);
    const [names] = await this.namesOfOthers([app]);
    const findings = [
      ...findingsOf(app),
      ...names!,
      ...this.assetChecks.findings(await this.assetChecks.check(app)),
    ];
    return { ready: findings.every(({ severity }) => severity !== Severity.ERROR), findings };
  }

  /** What is known of each app without fetching anything: a whole list in two queries. */
  async known(apps: readonly App[]): Promise<Finding[][]> {
    const names = await this.namesOfOthers(apps);
    const assets = await this.assetChecks.known(apps);
    return apps.map((app, index) => [...findingsOf(app), ...names[index]!, ...assets[index]!]);
  }

  private async namesOfOthers(apps: readonly App[]): Promise<Finding[][]> {
    const { rows } = await appsWithNamesOfOthers(apps.map(({ id }) => id)).execute(this.em.getKysely());
    const taken = new Set(rows.map(({ id }) => id));
    return apps.map(({ id, name }) => (taken.has(id) ? [sameName(name)] : []));
  }
}

const sameName = (name: string): Finding => ({
  field: 'name',
  severity: Severity.WARNING,
  code: 'duplicate',
  message: `Another developer has a public app called "${name}".`,
  fix: 'Choose a name that users cannot confuse with it.',
});
