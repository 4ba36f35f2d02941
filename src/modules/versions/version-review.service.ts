import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { AccountCaller, Caller } from '../../auth/caller.js';
import { now } from '../../db/clock.js';
import { notFound } from '../../errors.js';
import type { DeveloperService } from '../developers/developer.service.js';
import { asAdministrator, asDeveloper, type EventService } from '../events/event.service.js';
import { AppVersion, VersionStatus } from '../listings/app-version.entity.js';
import { applyChanges, listingOf } from '../listings/listing-change.rules.js';
import { isOutdated, rebase } from '../listings/rebase.rules.js';
import { moveVersion } from '../listings/version-state.rules.js';
import type { AssetCheckService } from '../preflight/asset-check.service.js';
import type { PreflightService } from '../preflight/preflight.service.js';
import { isOwner, requireDecidableVersion, requireRebasable } from '../review/review.rules.js';
import type { SubmissionService } from '../review/submission.service.js';
import type { ApproveAppVersion, RejectAppVersion } from './version.input.js';
import { aboutVersion, lockVersion } from './version.service.js';

/** Decisions of administrators on versions, and the rebase, which the developer or a reviewer can do. */
export class VersionReviewService {
  constructor(
    private readonly em: EntityManager,
    private readonly developers: DeveloperService,
    private readonly events: EventService,
    private readonly submissions: SubmissionService,
    private readonly assetChecks: AssetCheckService,
    private readonly preflight: PreflightService,
  ) {}

  /** Approves a version, which replaces the live listing at once. */
  async approve(
    caller: AccountCaller,
    { id, ...input }: z.output<typeof ApproveAppVersion>,
  ): Promise<AppVersion> {
    const { app, version, developer, submission } = await this.lockSubmitted(id);
    requireDecidableVersion(caller, 'approve', { app, version, developer }, submission);
    const acknowledgement = await this.submissions.approve(caller, submission, version, input);
    const change = moveVersion(version, 'approve');
    version.decidedAt = now();
    const listing = applyChanges(app, listingOf(version));
    await this.preflight.storeName(app);
    await this.events.record(
      asAdministrator(caller),
      {
        kind: 'version.approved',
        ...aboutVersion(app, version),
        note: input.note ?? null,
        ...acknowledgement,
      },
      { before: { ...change.before, ...listing?.before }, after: { ...listing?.after, ...change.after } },
    );
    return version;
  }

  async reject(
    caller: AccountCaller,
    { id, ...input }: z.output<typeof RejectAppVersion>,
  ): Promise<AppVersion> {
    const { app, version, developer, submission } = await this.lockSubmitted(id);
    requireDecidableVersion(caller, 'reject', { app, version, developer }, submission);
    const { reasons, guidance, rejectedAt } = await this.submissions.reject(
      caller,
      submission,
      version,
      input,
    );
    const change = moveVersion(version, 'reject');
    version.decidedAt = rejectedAt;
    await this.events.record(
      asAdministrator(caller),
      { kind: 'version.rejected', ...aboutVersion(app, version), reasons, guidance },
      change,
    );
    return version;
  }

  /** Updates a version to the live listing. Administrators can rebase every version, developers only their own. */
  async rebase(caller: Caller, id: string): Promise<AppVersion> {
    const isAdministrator = caller.kind === 'account' && caller.isAdmin;
    const own = { app: { developer: caller.developer?.id } };
    const { app, version } = await lockVersion(this.em, isAdministrator ? { id } : { id, ...own });
    const submission = await this.submissions.openOne(version);
    requireRebasable(caller, { app, version }, submission);
    if (!isOutdated(app, version)) return version;
    const { change, conflicting } = rebase(app, version);
    // The copied values are already public, so they never reject the rebase; the reviewer sees their findings.
    if (version.status === VersionStatus.PENDING) await this.assetChecks.checkLater(version);
    await this.events.record(
      isOwner(caller, app) ? asDeveloper(caller) : asAdministrator(caller),
      { kind: 'version.rebased', ...aboutVersion(app, version), conflicts: conflicting },
      change,
    );
    return version;
  }

  /** Locks everything that a decision depends on: the developer's row first, as submissions and suspensions do, to avoid deadlocks. */
  private async lockSubmitted(id: string) {
    const found = await this.em.findOne(
      AppVersion,
      { id },
      { populate: ['app'], fields: ['app.developer'], disableIdentityMap: true },
    );
    if (!found) throw notFound('version');
    const developer = await this.developers.lockForShare(found.app.getEntity().developer.id);
    const { app, version } = await lockVersion(this.em, { id });
    const submission = await this.submissions.openOne(version);
    return { app, version, developer, submission };
  }
}
