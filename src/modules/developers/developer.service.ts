import { LockMode, ref, UniqueConstraintViolationException } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { AccountCaller, Caller, DeveloperCaller } from '../../auth/caller.js';
import { DeveloperStatus } from '../../auth/developer-status.js';
import { notVerified, requireNotSuspended } from '../../auth/policy.js';
import { notFound, ServiceError } from '../../errors.js';
import { asAccount, asDeveloper, type EventService } from '../events/event.service.js';
import type { EventChange } from '../events/event.types.js';
import { requireUnrevokedKey } from './caller-key.queries.js';
import { Developer } from './developer.entity.js';
import type { RegisterDeveloper, UpdateMe } from './developer.input.js';
import { profileChange, requireSubmitter } from './developer.rules.js';
import { provenAddressAfter } from './developer-email.rules.js';
import type { DeveloperEmailService } from './developer-email.service.js';
import type { DeveloperNameService } from './developer-name.service.js';
import { ProfileChange } from './profile-change.entity.js';
import { isCoveredChange } from './profile-change.queries.js';
import { newUndoToken, undoUrl } from './undo-token.rules.js';
import type { Viewer } from './viewer.types.js';

const maxEmailChanges = 5;
const emailChangeWindowSeconds = 24 * 60 * 60;

/** Registers developers, and lets them read and change their own profile. */
export class DeveloperService {
  constructor(
    private readonly em: EntityManager,
    private readonly events: EventService,
    /** True to limit the number of e-mail address changes (D110). */
    private readonly limitsEmailChanges: boolean,
    /** Address of the service for clients, for the links in mails. */
    private readonly publicUrl: string,
    private readonly names: DeveloperNameService,
    private readonly emails: DeveloperEmailService,
  ) {}

  async register(caller: AccountCaller, input: z.output<typeof RegisterDeveloper>): Promise<Developer> {
    if (input.accountUserId !== caller.accountUserId) {
      throw new ServiceError(
        'ACCOUNT_MISMATCH',
        `The token belongs to the account "${caller.accountUserId}": register that one, or sign in with the other.`,
      );
    }
    this.names.requireUnreserved(input);
    const isProven = await this.emails.claim(caller, input.email, null);
    const developer = this.em.create(Developer, {
      accountUserId: input.accountUserId,
      name: input.name,
      email: input.email,
      companyName: input.companyName ?? null,
      websiteUrl: input.websiteUrl ?? null,
      bio: input.bio ?? null,
      provenEmail: isProven ? input.email : null,
    });
    await this.flush();
    await this.names.store(developer);
    const { id: developerId, name, email, status } = developer;
    await this.events.record(
      asAccount(caller),
      { kind: 'developer.registered', developerId },
      { after: { name, email, status } },
    );
    return developer;
  }

  async me(caller: DeveloperCaller): Promise<Developer> {
    return this.em.findOneOrFail(Developer, caller.developer.id);
  }

  /** Returns the account behind a credential. That of an API key is its developer's, without the name and the address, which only tokens have. */
  async viewer(caller: Caller | null): Promise<Viewer | null> {
    if (!caller) return null;
    const developerId = caller.developer?.id ?? null;
    if (caller.kind === 'account') {
      const { accountUserId, isAdmin: isAdministrator, name, email } = caller;
      return { accountUserId, isAdministrator, name, email, developerId, keyId: null };
    }
    const { accountUserId } = await this.me(caller);
    const { keyId } = caller;
    return { accountUserId, isAdministrator: false, name: null, email: null, developerId, keyId };
  }

  async update(caller: DeveloperCaller, input: z.output<typeof UpdateMe>): Promise<Developer> {
    const developer = await this.lock(caller.developer.id, LockMode.PESSIMISTIC_WRITE);
    // A leak report or an undone change may have revoked the key while the lock was waited for.
    await requireUnrevokedKey(this.em, caller.kind === 'key' ? caller.keyId : null);
    const change = profileChange(developer, {
      ...input,
      ...(await this.provenAddress(caller, developer, input.email)),
    });
    if (!change) return developer;
    const { after } = change;
    if ('email' in after && this.limitsEmailChanges)
      await requireEmailChangeLeft(this.em, developer.id, caller.kind);
    await this.names.requireOwn(developer, after);
    Object.assign(developer, after);
    await this.flush();
    await this.names.store(developer);
    await this.recordUpdate(caller, developer, change);
    return developer;
  }

  /** Returns the address that counts as proven after the change, if the address is sent. */
  private async provenAddress(caller: DeveloperCaller, developer: Developer, email: string | undefined) {
    if (email === undefined) return {};
    const isProven = await this.emails.claim(caller, email, developer.id);
    const isByAccount = caller.kind === 'account';
    return { provenEmail: provenAddressAfter(developer, email, { isProven, isByAccount }) };
  }

  /** Records a change of the profile. One by an API key can be undone by a link in the mail to the address before it (D323). */
  private async recordUpdate(
    caller: DeveloperCaller,
    { id: developerId, email }: Developer,
    { before, after }: Required<EventChange>,
  ): Promise<void> {
    const keyId = caller.kind === 'key' ? caller.keyId : null;
    const byKey = keyId ? { keyId, changed: Object.keys(after) } : {};
    const undo = keyId && (await this.needsRow(developerId, keyId, before)) ? newUndoToken() : null;
    const toFormer = undo ? { undoUrl: undoUrl(this.publicUrl, undo.token) } : {};
    const id =
      'email' in before
        ? await this.events.record(
            asDeveloper(caller),
            { kind: 'developer.email-changed', developerId, formerEmail: String(before.email), ...byKey },
            { before, after },
            [toFormer, { recipient: email }],
          )
        : await this.events.record(
            asDeveloper(caller),
            { kind: 'developer.updated', developerId, ...byKey },
            { before, after },
            keyId ? [toFormer] : [],
          );
    if (!undo || !keyId) return;
    const developer = ref(this.em.getReference(Developer, developerId));
    this.em.create(ProfileChange, { id, developer, keyId, before, undoHash: undo.hash });
  }

  /** Bounds the rows that a key can cause in a loop. Changes of the e-mail address have a limit of their own, and decide where mails go. */
  private async needsRow(developerId: string, keyId: string, before: object): Promise<boolean> {
    if ('email' in before) return true;
    const statement = isCoveredChange(developerId, keyId, Object.keys(before));
    return !(await statement.execute(this.em.getKysely())).rows[0]?.isCovered;
  }

  /** Locks the developer as `requireVerified` does, and also rejects one who has no e-mail address any more. */
  async requireSubmitter(caller: DeveloperCaller): Promise<void> {
    requireSubmitter(await this.lockForShare(caller.developer.id));
  }

  /** Locks the developer, so that neither a suspension nor a withdrawn verification comes before the transaction ends. */
  async requireVerified(caller: DeveloperCaller): Promise<void> {
    await this.requireVerifiedById(caller.developer.id);
  }

  async requireVerifiedById(id: string): Promise<void> {
    const developer = await this.lockForShare(id);
    requireNotSuspended(developer);
    if (developer.status !== DeveloperStatus.VERIFIED) throw notVerified();
  }

  /** Reads a developer and prevents changes to the row until the transaction ends. */
  async lockForShare(id: string): Promise<Developer> {
    return this.lock(id, LockMode.PESSIMISTIC_READ);
  }

  private async lock(
    id: string,
    lockMode: LockMode.PESSIMISTIC_READ | LockMode.PESSIMISTIC_WRITE,
  ): Promise<Developer> {
    const developer = await this.em.findOne(Developer, { id }, { lockMode });
    if (!developer) throw notFound('developer');
    return developer;
  }

  /** Relies on the unique constraints, so that concurrent requests cannot create duplicates. */
  private async flush(): Promise<void> {
    try {
      await this.em.flush();
    } catch (error) {
      if (!(error instanceof UniqueConstraintViolationException)) throw error;
      throw error.message.includes('developers_email_key')
        ? new ServiceError(
            'EMAIL_TAKEN',
            'Another developer uses this e-mail address. Use a different one.',
            [{ field: 'email', code: 'taken', message: 'email is used by another developer.' }],
          )
        : new ServiceError(
            'DEVELOPER_EXISTS',
            'This account is already registered. Query `me` in GraphQL with the same token, or GET /api/dev/me with an API key.',
          );
    }
  }
}

/**
 * Rejects the sixth change of the e-mail address within 24 hours (D110), because every change sends a mail to an address
 * that may belong to somebody else. Changes by key and by account count separately, so that a stolen key cannot use up
 * those of its owner. It counts audit events, so the caller must have locked the developer's row.
 */
async function requireEmailChangeLeft(
  em: EntityManager,
  developerId: string,
  credential: DeveloperCaller['kind'],
): Promise<void> {
  const { rows } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from created_at - now()) + ${emailChangeWindowSeconds})::int as seconds from audit_events
    where developer_id = ${developerId} and kind = 'developer.email-changed'
      and (actor_key is not null) = ${credential === 'key'}
      and created_at > now() - make_interval(secs => ${emailChangeWindowSeconds})
    order by created_at desc offset ${maxEmailChanges - 1} limit 1`.execute(em.getKysely());
  const [fifthLast] = rows;
  if (!fifthLast) return;
  // `now()` is the start of this transaction, which may have waited for the change that it counts.
  const retryAfterSeconds = Math.min(Math.max(1, fifthLast.seconds), emailChangeWindowSeconds);
  const hours = Math.ceil(retryAfterSeconds / 3600);
  throw new ServiceError(
    'RATE_LIMITED',
    `The e-mail address can be changed ${maxEmailChanges} times within 24 hours. Try again in ${hours} ${hours === 1 ? 'hour' : 'hours'}; the rest of the profile can be changed at any time.`,
    [],
    { retryAfterSeconds },
  );
}
