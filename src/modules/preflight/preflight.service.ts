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
import { type UnusualDay, unusualDays } from './install.queries.js';
import { nameOfOther, pictureOfOther, reservedName } from './look-alike.rules.js';
import { type AppWithName, listingsWithNamesOfOthers, otherAppWithName } from './name-conflict.queries.js';
import { pictureStates } from './picture.queries.js';
import { pictureFindings } from './picture.rules.js';
import { type HashedPicture, picturesOfOthers, recognisedBy } from './picture-conflict.queries.js';
import type { MeasuredImage, Preflight } from './preflight.types.js';

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
    const [names] = await this.nameFindings([subject]);
    return this.checked(subject, names!, developer, appIdOf(subject));
  }

  /** Runs the same checks on a listing that is not stored. */
  async preflightListing(
    { developer }: DeveloperCaller,
    input: z.output<typeof CreateApp>,
  ): Promise<Preflight> {
    const listing = completed(input);
    await fillSkeletonBatch(this.em);
    const { rows } = await otherAppWithName(developer.id, listing.name).execute(this.em.getKysely());
    return this.checked(listing, this.findingsOfName(listing.name, rows[0] ?? null), developer.id);
  }

  private async checked(
    listing: Listing,
    names: readonly Finding[],
    developerId: string,
    appId: string | null = null,
  ): Promise<Preflight> {
    const results = await this.assetChecks.check(listing, developerId);
    const [copied] = await this.copiedPictures([results], [appId], developerId);
    const findings = this.all(listing, [...names, ...copied!], this.assetChecks.findings(results));
    const ready = findings.every(({ severity }) => severity !== Severity.ERROR);
    return { ready, findings, images: imagesAmong(results) };
  }

  /** Returns the findings of each listing without fetching anything, in a few queries for the whole list. */
  async storedFindings(subjects: readonly (App | AppVersion)[]): Promise<Finding[][]> {
    const names = await this.nameFindings(subjects);
    const checked = await this.assetChecks.storedResults(subjects);
    const copied = await this.copiedPictures(checked, subjects.map(appIdOf));
    return subjects.map((subject, i) =>
      this.all(subject, [...names[i]!, ...copied[i]!], this.assetChecks.findings(checked[i]!)),
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

  /** Lists all findings of a listing. A link that names no public host is listed once, though fetching it fails too. */
  private all(subject: Listing, lookAlikes: readonly Finding[], assets: readonly Finding[]): Finding[] {
    const links = this.linkFindings(subject);
    const isNew = ({ field }: Finding) => !links.some((link) => link.field === field);
    return [...findingsOf(subject), ...links, ...lookAlikes, ...assets.filter(isNew)];
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
    const [findings] = await this.nameFindings([subject]);
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

  private async nameFindings(subjects: readonly (App | AppVersion)[]): Promise<Finding[][]> {
    // Includes the names of apps that became public since the worker's last run.
    await fillSkeletonBatch(this.em);
    const { rows } = await listingsWithNamesOfOthers(subjects).execute(this.em.getKysely());
    const others = new Map(rows.map((row) => [row.listingId, row]));
    return subjects.map(({ id, name }) => this.findingsOfName(name, others.get(id) ?? null));
  }

  private findingsOfName(name: string, other: AppWithName | null): Finding[] {
    return [...(other ? [nameOfOther(other)] : []), ...(this.reserved.includes(name) ? [reservedName] : [])];
  }

  /**
   * Returns the findings about each listing's pictures that public apps of other developers show, in one query. The
   * developer is needed for a listing that is not stored.
   */
  private async copiedPictures(
    checked: readonly (readonly AssetResult[])[],
    appIds: readonly (string | null)[],
    developerId: string | null = null,
  ): Promise<Finding[][]> {
    const hashed = checked.map((results, i) => hashedPictures(results, appIds[i]!));
    if (hashed.every((pictures) => pictures.length === 0)) return checked.map(() => []);
    const { rows } = await picturesOfOthers(hashed.flat(), developerId).execute(this.em.getKysely());
    return hashed.map((pictures) =>
      pictures.flatMap(({ appId, field, sha256 }) =>
        rows
          .filter((row) => row.appId === appId && row.field === field && row.sha256 === sha256)
          .slice(0, 1)
          .map(pictureOfOther),
      ),
    );
  }
}

const hashedPictures = (results: readonly AssetResult[], appId: string | null): HashedPicture[] =>
  results.flatMap(({ field, url, sha256 }) =>
    sha256 && recognisedBy.includes(field) ? [{ field, url, sha256, appId }] : [],
  );

const imagesAmong = (results: readonly AssetResult[]): MeasuredImage[] =>
  results.filter(({ field }) => field !== linkField);

const unusualInstalls = ({ day, installs, usual }: UnusualDay): Finding => ({
  field: 'installCount',
  severity: Severity.WARNING,
  code: 'unusual_installs',
  message: `The app was installed ${installs} times on ${day} (UTC), and usually ${usual} times a day.`,
  fix: 'Ask the developer for the reason. Suspend the app if the installs are not real.',
});
