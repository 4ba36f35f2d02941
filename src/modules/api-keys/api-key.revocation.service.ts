import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { z } from 'zod';
import { hashApiKey } from '../../auth/api-key-token.js';
import type { DeveloperCaller } from '../../auth/caller.js';
import { now } from '../../db/clock.js';
import { notFound } from '../../errors.js';
import {
  type Actor,
  asAnyone,
  asDeveloper,
  type EventMail,
  type EventService,
} from '../events/event.service.js';
import type { DomainEvent, KeyList } from '../events/event.types.js';
import { ApiKey } from './api-key.entity.js';
import type { RevokeApiKey } from './api-key.input.js';
import { activeDescendantsOf, blockNewKeys, ownerOfKey } from './api-key.queries.js';
import type { LeakReport } from './api-key.types.js';

/** The data of a revocation event without the ids of the key and its developer. */
type Revocation = Omit<Extract<DomainEvent, { kind: 'key.revoked' | 'key.leaked' }>, 'developerId' | 'keyId'>;

/** Sends no mail of its own, because the mail about the ancestor key lists this one. */
const noMails: readonly EventMail[] = [];
const maxListedKeys = 50;

/** Revokes keys, alone or with their descendants: the keys created or rotated with them (D103). */
export class ApiKeyRevocationService {
  constructor(
    private readonly em: EntityManager,
    private readonly events: EventService,
  ) {}

  /** Any key may revoke every key of its developer, itself included, so that a leak can be stopped at once. */
  async revoke(caller: DeveloperCaller, { id, descendants }: z.output<typeof RevokeApiKey>): Promise<ApiKey> {
    const developer = caller.developer.id;
    if (descendants) await blockNewKeys(sql`${developer}`).execute(this.em.getKysely());
    const key = await this.lock({ id, developer });
    if (descendants) await this.revokeFamily('key.revoked', asDeveloper(caller), key);
    else if (!key.revokedAt) await this.revokeAlone(asDeveloper(caller), key);
    return key;
  }

  /** Needs no other permission: a person who holds the key could do more harm with it. A repeated report revokes new descendants too. */
  async reportLeak(token: string): Promise<LeakReport> {
    const hash = hashApiKey(token);
    await blockNewKeys(ownerOfKey(hash)).execute(this.em.getKysely());
    const key = await this.lock({ hash });
    const descendantsRevoked = await this.revokeFamily('key.leaked', asAnyone(key.id), key);
    return { maskedKey: key.maskedKey, revokedAt: key.revokedAt!, descendantsRevoked };
  }

  /** Locks what `revokeWithDescendants` revokes, for a service that has more to lock before the first event is recorded. */
  async lockWithDescendants(developer: string, id: string): Promise<void> {
    await this.activeDescendants(await this.lock({ id, developer }), LockMode.PESSIMISTIC_WRITE);
  }

  /** Revokes a developer's key with its descendants for another service, which has locked the developer. */
  async revokeWithDescendants(
    actor: Actor,
    developer: string,
    id: string,
  ): Promise<{ key: ApiKey; descendantsRevoked: number }> {
    const key = await this.lock({ id, developer });
    return { key, descendantsRevoked: await this.revokeFamily('key.revoked', actor, key) };
  }

  /** Revokes the keys that a pipeline holds, without a mail for each: its developer has just ended the trust. */
  async revokeKeysOf(actor: Actor, trustedPublisherId: string): Promise<void> {
    const held = { trustedPublisherId, revokedAt: null, expiresAt: { $gt: now() } };
    const options = { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE } as const;
    for (const key of await this.em.find(ApiKey, held, options))
      await this.revokeKey(actor, key, { kind: 'key.revoked' }, noMails);
  }

  private async revokeAlone(actor: Actor, key: ApiKey): Promise<void> {
    const active = await this.activeDescendants(key);
    await this.revokeKey(actor, key, {
      kind: 'key.revoked',
      ...(active.length > 0 && { livingDescendants: listOf(active) }),
    });
  }

  /** Call `blockNewKeys` first, so that no descendant is added in the meantime. One mail covers all keys. */
  private async revokeFamily(kind: Revocation['kind'], actor: Actor, key: ApiKey): Promise<number> {
    const descendants = await this.activeDescendants(key, LockMode.PESSIMISTIC_WRITE);
    if (key.revokedAt && descendants.length === 0) return 0;
    await this.revokeKey(actor, key, {
      kind,
      ...(descendants.length > 0 && { revokedDescendants: listOf(descendants) }),
    });
    for (const descendant of descendants)
      await this.revokeKey(actor, descendant, { kind: 'key.revoked', ancestorKeyId: key.id }, noMails);
    return descendants.length;
  }

  private async revokeKey(
    actor: Actor,
    key: ApiKey,
    event: Revocation,
    mails?: readonly EventMail[],
  ): Promise<void> {
    const before = { status: key.status };
    key.revokedAt ??= now();
    await this.events.record(
      actor,
      { ...event, developerId: key.developer.id, keyId: key.id },
      { before, after: { status: key.status } },
      mails,
    );
  }

  private async activeDescendants(
    key: ApiKey,
    lockMode: LockMode.NONE | LockMode.PESSIMISTIC_WRITE = LockMode.NONE,
  ): Promise<ApiKey[]> {
    const { rows } = await activeDescendantsOf(key.id).execute(this.em.getKysely());
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    return this.em.find(ApiKey, { id: ids, revokedAt: null }, { orderBy: { id: 'asc' }, lockMode });
  }

  private async lock(where: { id: string; developer: string } | { hash: Buffer }): Promise<ApiKey> {
    const key = await this.em.findOne(ApiKey, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!key) throw notFound('API key');
    return key;
  }
}

const listOf = (keys: readonly ApiKey[]): KeyList => ({
  count: keys.length,
  first: keys.slice(0, maxListedKeys).map(({ name, maskedKey }) => ({ name, maskedKey })),
});
