import { LockMode, ref } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { DeveloperCaller } from '../../auth/caller.js';
import { notFound } from '../../errors.js';
import type { DeveloperService } from '../developers/developer.service.js';
import { aboutApp, asDeveloper, type EventService } from '../events/event.service.js';
import { App, AppStatus } from '../listings/app.entity.js';
import { lockOwnApp } from '../listings/app-lock.service.js';
import { AppVersion, VersionStatus } from '../listings/app-version.entity.js';
import type { AppChanges } from '../listings/listing.input.js';
import { applyChanges, listingOf, normalized } from '../listings/listing-change.rules.js';
import { requireSeenRevision } from '../listings/revision.rules.js';
import {
  moveVersion,
  openVersions,
  requireEditableVersion,
  requireNoOpenVersion,
  requireVersionable,
  versionTransitions,
} from '../listings/version-state.rules.js';
import type { AssetCheckService, CheckedAssets } from '../preflight/asset-check.service.js';
import type { QuotaService } from '../quotas/quota.service.js';
import type { SubmissionService } from '../review/submission.service.js';

/** New versions of approved apps: separate drafts, which replace the live listing when they are approved. */
export class VersionService {
  constructor(
    private readonly em: EntityManager,
    private readonly developers: DeveloperService,
    private readonly events: EventService,
    private readonly submissions: SubmissionService,
    private readonly assetChecks: AssetCheckService,
    private readonly quotas: QuotaService,
  ) {}

  async create(
    caller: DeveloperCaller,
    appId: string,
    changes: z.output<typeof AppChanges>,
    expected: number | null = null,
  ): Promise<AppVersion> {
    const app = await lockOwnApp(this.em, caller, appId);
    requireVersionable(app);
    await requireSeenRevision(this.em, app, acceptedRevisions(expected));
    requireNoOpenVersion(await this.em.findOne(AppVersion, { app: app.id, status: [...openVersions] }));
    const base = listingOf(app);
    const version = this.em.create(AppVersion, {
      app: ref(app),
      ...base,
      ...normalized(changes),
      base,
      baseRevision: app.revision,
    });
    await this.quotas.requireRoomFor('versions', app.id);
    const { name, status, revision } = version;
    await this.events.record(
      asDeveloper(caller),
      { kind: 'version.created', ...aboutVersion(app, version) },
      { after: { name, status, revision } },
    );
    return version;
  }

  async update(
    caller: DeveloperCaller,
    id: string,
    changes: z.output<typeof AppChanges>,
    expected: number | null,
    checked: CheckedAssets | null = null,
  ): Promise<AppVersion> {
    const { app, version } = await this.lockOwn(caller, id);
    requireEditableVersion(version);
    await requireSeenRevision(this.em, version, acceptedRevisions(expected));
    const change = applyChanges(version, changes);
    if (!change) return version;
    await this.submissions.edited(version, change, checked);
    await this.events.record(
      asDeveloper(caller),
      { kind: 'version.updated', ...aboutVersion(app, version) },
      change,
    );
    return version;
  }

  /** Checks the images before the transaction of a submission, if a bad image can reject it (D24). */
  async checkBeforeSubmit(caller: DeveloperCaller, id: string): Promise<CheckedAssets | null> {
    const app = { developer: caller.developer.id, status: AppStatus.APPROVED };
    const status = versionTransitions.submit.from;
    return this.assetChecks.checkBefore(() => this.em.findOne(AppVersion, { id, app, status }));
  }

  /** Checks the images before an edit of a submitted version. */
  async checkBeforeUpdate(
    caller: DeveloperCaller,
    id: string,
    changes: z.output<typeof AppChanges>,
  ): Promise<CheckedAssets | null> {
    const waiting = { id, app: { developer: caller.developer.id }, status: VersionStatus.PENDING };
    return this.assetChecks.checkBefore(() => this.em.findOne(AppVersion, waiting), changes);
  }

  async submit(
    caller: DeveloperCaller,
    id: string,
    checked: CheckedAssets | null = null,
    expected: number | null = null,
  ): Promise<AppVersion> {
    await this.developers.requireSubmitter(caller);
    const { app, version } = await this.lockOwn(caller, id);
    requireVersionable(app);
    const change = moveVersion(version, 'submit');
    await requireSeenRevision(this.em, version, acceptedRevisions(expected));
    const { resubmission } = await this.submissions.open(version, checked);
    await this.events.record(
      asDeveloper(caller),
      { kind: 'version.submitted', ...aboutVersion(app, version), resubmission },
      change,
    );
    return version;
  }

  async withdraw(caller: DeveloperCaller, id: string): Promise<AppVersion> {
    const { app, version } = await this.lockOwn(caller, id);
    const change = moveVersion(version, 'withdraw');
    version.submittedAt = null;
    await this.submissions.withdraw(version);
    await this.events.record(
      asDeveloper(caller),
      { kind: 'version.withdrawn', ...aboutVersion(app, version) },
      change,
    );
    return version;
  }

  async discard(caller: DeveloperCaller, id: string): Promise<AppVersion> {
    const { app, version } = await this.lockOwn(caller, id);
    if (version.status === VersionStatus.PENDING) await this.submissions.withdraw(version);
    const change = moveVersion(version, 'discard');
    await this.events.record(
      asDeveloper(caller),
      { kind: 'version.discarded', ...aboutVersion(app, version) },
      change,
    );
    return version;
  }

  /** Returns the id of the app that a version belongs to; null if there is no such version. */
  async appIdOf(id: string): Promise<string | null> {
    return (await this.em.findOne(AppVersion, { id }, { fields: ['app'] }))?.app.id ?? null;
  }

  private async lockOwn(caller: DeveloperCaller, id: string) {
    return lockVersion(this.em, { id, app: { developer: caller.developer.id } });
  }
}

const acceptedRevisions = (expected: number | null) => (expected === null ? undefined : new Set([expected]));

/** Locks a version and its app until the end of the transaction. The app's row is always locked first, to avoid deadlocks. */
export async function lockVersion(
  em: EntityManager,
  where: object,
): Promise<{ app: App; version: AppVersion }> {
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const found = await em.findOne(AppVersion, where, { fields: ['app'], disableIdentityMap: true });
  if (!found) throw notFound('version');
  const app = await em.findOneOrFail(App, { id: found.app.id }, { lockMode });
  const version = await em.findOneOrFail(AppVersion, { id: found.id }, { lockMode });
  return { app, version };
}

/** The fields of an event that identify a version. */
export const aboutVersion = (app: App, version: AppVersion) => ({ ...aboutApp(app), versionId: version.id });
