import { UniqueConstraintViolationException } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { nowMs } from '../../db/clock.js';
import { notFound, ServiceError } from '../../errors.js';
import { blockNewKeys } from '../api-keys/api-key.queries.js';
import type { ApiKeyRevocationService } from '../api-keys/api-key.revocation.service.js';
import { Developer } from '../developers/developer.entity.js';
import type { DeveloperNameService } from '../developers/developer-name.service.js';
import { ProfileChange } from '../developers/profile-change.entity.js';
import { profileKinds } from '../developers/profile-change.queries.js';
import { hashUndoToken } from '../developers/undo-token.rules.js';
import { AuditEvent } from '../events/audit-event.entity.js';
import { type Actor, byMailedLink, type EventService } from '../events/event.service.js';
import {
  type OwnTimes,
  oneChange,
  storeOutcomes,
  type UndoTargets,
  valuesToRestore,
} from './key-change.queries.js';
import type { UndoneProfileChange } from './key-change.types.js';

const undoDays = 7;
const dayMs = 24 * 60 * 60 * 1000;

/** Returns the time of the oldest change that can be undone. */
export const undoableSince = (): Date => new Date(nowMs() - undoDays * dayMs);

/** Restores the fields of profiles that API keys have changed (D323, D324). */
export class ProfileUndoService {
  constructor(
    private readonly em: EntityManager,
    private readonly events: EventService,
    private readonly revocation: ApiKeyRevocationService,
    private readonly names: DeveloperNameService,
  ) {}

  /** Undoes one change for the holder of the mailed token, and revokes the key with its descendants. */
  async undoByLink(token: string): Promise<UndoneProfileChange> {
    const found = await this.em.findOne(
      ProfileChange,
      { undoHash: hashUndoToken(token) },
      { disableIdentityMap: true },
    );
    if (!found) throw notFound('change with this token');
    const developer = await this.lock(found.developer.id);
    const change = await this.em.findOneOrFail(ProfileChange, found.id);
    if (change.outcome !== null)
      throw new ServiceError('INVALID_TRANSITION', 'This change is undone already. The link works once.');
    if (change.createdAt <= undoableSince())
      throw new ServiceError(
        'INVALID_TRANSITION',
        `The link worked for ${undoDays} days after the change. Change your profile and revoke your API keys yourself, or contact support.`,
      );
    const targets = { developerId: developer.id, keyId: change.keyId, which: oneChange(change.id) };
    const { restored, emailTaken } = await this.revert(byMailedLink, developer, targets);
    const { key, descendantsRevoked } = await this.revocation.revokeWithDescendants(
      byMailedLink,
      developer.id,
      change.keyId,
    );
    return { restored, emailTaken, maskedKey: key.maskedKey, descendantsRevoked };
  }

  /**
   * Locks the profile, so that it does not change meanwhile, and no key is created. Requests that insert other rows of the
   * developer can finish: they may hold the lock of a key that is revoked here.
   */
  async lock(id: string): Promise<Developer> {
    await blockNewKeys(sql`${id}`).execute(this.em.getKysely());
    return this.em.findOneOrFail(Developer, { id }, { refresh: true });
  }

  /** Restores the values from before the changes, except of fields that the account has changed since. The developer must be locked. */
  async revert(
    actor: Actor,
    developer: Developer,
    targets: UndoTargets,
  ): Promise<Pick<UndoneProfileChange, 'restored' | 'emailTaken'>> {
    const own = await this.lastOwnChanges(developer.id);
    const { rows } = await valuesToRestore(targets, own).execute(this.em.getKysely());
    const wanted = Object.fromEntries(rows.map(({ field, value }) => [field, value]));
    const refused = await this.refusedNames(developer, wanted);
    for (const field of refused) delete wanted[field];
    const formerEmail = developer.email;
    const emailTaken = 'email' in wanted && !(await this.restoreEmail(developer, String(wanted.email)));
    if (emailTaken) delete wanted.email;
    const restored = Object.keys(wanted);
    const before = Object.fromEntries(restored.map((field) => [field, developer[field as keyof Developer]]));
    Object.assign(developer, wanted);
    await this.em.flush();
    await this.names.store(developer);
    const left = [...refused, ...(emailTaken ? ['email'] : [])];
    await storeOutcomes(targets, own, left).execute(this.em.getKysely());
    if (restored.length > 0 || emailTaken)
      await this.events.record(
        actor,
        { kind: 'developer.change_undone', developerId: developer.id, keyId: targets.keyId, emailTaken },
        { before, after: wanted },
        // Also to the address that a key had set: its owner may have wanted the change.
        developer.email === formerEmail ? [{}] : [{}, { recipient: formerEmail }],
      );
    return { restored, emailTaken };
  }

  /** Returns the names that the developer could not take today, because they are reserved or another developer has them now. */
  private async refusedNames(developer: Developer, wanted: Record<string, unknown>): Promise<string[]> {
    const changed = Object.fromEntries(
      Object.entries(wanted).filter(([field, value]) => developer[field as keyof Developer] !== value),
    );
    try {
      await this.names.requireOwn(developer, changed);
      return [];
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return error.details.map(({ field }) => field);
    }
  }

  /** Returns when each field was last changed by somebody without an API key: the account or an administrator. An undone change is none. */
  async lastOwnChanges(developerId: string): Promise<OwnTimes> {
    const events = await this.em.find(
      AuditEvent,
      { developerId, actorKey: null, kind: [...profileKinds], createdAt: { $gte: undoableSince() } },
      { orderBy: { createdAt: 'asc' }, disableIdentityMap: true },
    );
    return Object.fromEntries(
      events.flatMap(({ after, data, createdAt }) => {
        const names = Array.isArray(data.fields) ? data.fields.map(String) : [];
        return [...Object.keys(after ?? {}), ...names].map(
          // Proving an address that a key has set is a change by the account.
          (field) => [field === 'provenEmail' ? 'email' : field, createdAt.getTime()] as const,
        );
      }),
    );
  }

  /** Returns false if another developer uses the address now. The rest of the transaction is not affected. */
  private async restoreEmail(developer: Developer, email: string): Promise<boolean> {
    await this.em.execute('savepoint restore_email');
    try {
      await this.em.nativeUpdate(Developer, { id: developer.id }, { email });
      return true;
    } catch (error) {
      if (!(error instanceof UniqueConstraintViolationException)) throw error;
      await this.em.execute('rollback to savepoint restore_email');
      return false;
    }
  }
}
