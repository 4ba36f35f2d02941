import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { DeveloperCaller } from '../../auth/caller.js';
import { notFound } from '../../errors.js';
import { App } from '../listings/app.entity.js';
import { AppVersion } from '../listings/app-version.entity.js';
import { type Finding, Severity } from '../listings/finding.types.js';
import type { Listing } from '../listings/listing.entity.js';
import type { CreateApp } from '../listings/listing.input.js';
import { findingsOf } from '../listings/listing.rules.js';
import { completed } from '../listings/listing-change.rules.js';
import type { PublicLinks } from '../listings/public-links.rules.js';
import { fillSkeletonBatch, lockNames, storeSkeletons } from '../names/name.queries.js';
import { nameSkeleton } from '../names/name.rules.js';
import type { ReservedNames } from '../names/reserved-name.rules.js';
import { linkField } from './asset.rules.js';
import { type AssetCheckService, appIdOf } from './asset-check.service.js';
import type { AssetResult } from './asset-checker.service.js';
import { namesOfOthers, picturesOfOthers, recognisedBy } from './conflict.queries.js';
import { type UnusualDay, unusualDays } from './install.queries.js';
import { nameOfOther, pictureOfOther, reservedName } from './look-alike.rules.js';
import { pictureStates } from './picture.queries.js';
import { pictureFindings } from './picture.rules.js';
import type { MeasuredImage, Preflight } from './preflight.types.js';

/** A listing whose images and links were checked. */
interface CheckedListing {
  listing: Listing;
  /** Null for a listing that is not stored. */
  appId: string | null;
  results: readonly AssetResult[];
}

/** Runs the automatic checks of listings, before and after a submission. */
export class PreflightService {
  constructor(
    private readonly em: EntityManager,
    private readonly assetChecks: AssetCheckService,
    private readonly reserved: ReservedNames,
    private readonly links: PublicLinks,
  ) {}

  /** Runs the checks of a submission on an app or a version. Images and links that were fetched in the last minutes are not fetched again. */
  async preflight(caller: DeveloperCaller, id: string): Promise<Preflight> {
    const developer = caller.developer.id;
    const subject =
      (await this.em.findOne(App, { id, developer })) ??
      (await this.em.findOne(AppVersion, { id, app: { developer } }));
    if (!subject) throw notFound('app or version');
    return this.checked(subject, developer, appIdOf(subject));
  }

  /** Runs the same checks on a listing that is not stored. */
  preflightListing({ developer }: DeveloperCaller, input: z.output<typeof CreateApp>): Promise<Preflight> {
    return this.checked(completed(input), developer.id, null);
  }

  private async checked(listing: Listing, developerId: string, appId: string | null): Promise<Preflight> {
    const results = await this.assetChecks.check(listing, developerId);
    const [findings] = await this.findings([{ listing, appId, results }], developerId);
    const ready = findings!.every(({ severity }) => severity !== Severity.ERROR);
    return { ready, findings: findings!, images: imagesAmong(results) };
  }

  /** Returns the findings of each listing without fetching anything, in a few queries for the whole list. */
  async storedFindings(subjects: readonly (App | AppVersion)[]): Promise<Finding[][]> {
    const stored = await this.assetChecks.storedResults(subjects);
    return this.findings(
      subjects.map((listing, i) => ({ listing, appId: appIdOf(listing), results: stored[i]! })),
    );
  }

  /** Returns the images of each listing as they were measured at the last submission or edit, in one query. */
  async storedImages(subjects: readonly (App | AppVersion)[]): Promise<MeasuredImage[][]> {
    return (await this.assetChecks.storedResults(subjects)).map(imagesAmong);
  }

  /** Returns the findings about images and links with which a submission would be rejected. */
  async submissionFindings(subjects: readonly (App | AppVersion)[]): Promise<Finding[][]> {
    const assets = await this.assetChecks.submissionFindings(subjects);
    return subjects.map((subject, i) => [...this.linkFindings(subject), ...assets[i]!]);
  }

  /** Returns the findings about links that name no public host. */
  linkFindings(listing: Listing): Finding[] {
    return this.links.findings(listing);
  }

  /** Lists all findings of each listing. The developer is needed for a listing that is not stored. */
  private async findings(
    checked: readonly CheckedListing[],
    developerId: string | null = null,
  ): Promise<Finding[][]> {
    const compared = checked.map(({ listing: { name }, appId }) => ({ name, appId }));
    const names = await this.nameFindings(compared, developerId);
    const copied = await this.copiedPictures(checked, developerId);
    return checked.map(({ listing, results }, i) => {
      const links = this.linkFindings(listing);
      // A link that names no public host is listed once, though fetching it fails too.
      const assets = this.assetChecks
        .findings(results)
        .filter(({ field }) => !links.some((link) => link.field === field));
      return [...findingsOf(listing), ...links, ...names[i]!, ...copied[i]!, ...assets];
    });
  }

  /** Returns the findings about the installs of apps, which only administrators see, in one query. */
  async installFindings(appIds: readonly string[]): Promise<Finding[][]> {
    const { rows } = await unusualDays(appIds).execute(this.em.getKysely());
    return appIds.map((appId) => rows.filter(({ id }) => id === appId).map(unusualInstalls));
  }

  /** Returns the findings about pictures of public apps that differ from what was reviewed, in one query. */
  async pictureFindings(apps: readonly App[]): Promise<Finding[][]> {
    const { rows } = await pictureStates(apps.map(({ id }) => id)).execute(this.em.getKysely());
    return apps.map((app) => pictureFindings(app, rows.find(({ id }) => id === app.id)?.pictures ?? []));
  }

  /**
   * Returns the findings about the name of a listing that is about to become public. Until the transaction ends, no other
   * listing with a name of the same look becomes public.
   */
  async lockedNameFindings(subject: App | AppVersion): Promise<Finding[]> {
    await this.lockName(subject);
    const [findings] = await this.nameFindings([{ name: subject.name, appId: appIdOf(subject) }]);
    return findings!;
  }

  /** Makes others wait who are about to make a name of the same look public, until the transaction ends. */
  async lockName({ name }: Pick<App, 'name'>): Promise<void> {
    await lockNames(this.em, 'app_names', [nameSkeleton(name)]);
  }

  /** Stores the skeleton of the name of an app that became public, so that the next transaction compares with it. */
  async storeName({ id, name }: App): Promise<void> {
    await this.em.flush();
    await storeSkeletons('app_names', [{ id, name }]).execute(this.em.getKysely());
  }

  private async nameFindings(
    names: readonly { name: string; appId: string | null }[],
    developerId: string | null = null,
  ): Promise<Finding[][]> {
    // Includes the names of apps that became public since the worker's last run.
    await fillSkeletonBatch(this.em);
    const { rows } = await namesOfOthers(names, developerId).execute(this.em.getKysely());
    return names.map(({ name }, i) => [
      ...rows.filter(({ listing }) => listing === i).map(nameOfOther),
      ...(this.reserved.includes(name) ? [reservedName] : []),
    ]);
  }

  /** Returns the findings about each listing's pictures that public apps of other developers show, in one query. */
  private async copiedPictures(
    checked: readonly CheckedListing[],
    developerId: string | null,
  ): Promise<Finding[][]> {
    const pictures = checked.flatMap(({ appId, results }, listing) =>
      results.flatMap(({ field, url, sha256 }) =>
        sha256 && recognisedBy.includes(field) ? [{ listing, appId, field, url, sha256 }] : [],
      ),
    );
    if (pictures.length === 0) return checked.map(() => []);
    const { rows } = await picturesOfOthers(pictures, developerId).execute(this.em.getKysely());
    const found = rows.map((row) => ({ ...pictures[row.picture]!, other: row }));
    return checked.map((_, i) =>
      found.filter(({ listing }) => listing === i).map(({ field, other }) => pictureOfOther(field, other)),
    );
  }
}

const imagesAmong = (results: readonly AssetResult[]): MeasuredImage[] =>
  results.filter(({ field }) => field !== linkField);

const unusualInstalls = ({ day, installs, usual }: UnusualDay): Finding => ({
  field: 'installCount',
  severity: Severity.WARNING,
  code: 'unusual_installs',
  message: `The app was installed ${installs} times on ${day} (UTC), and usually ${usual} times a day.`,
  fix: 'Ask the developer for the reason. Suspend the app if the installs are not real.',
});
