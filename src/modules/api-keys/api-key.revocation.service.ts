import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { z } from 'zod';
import { hashApiKey } from '../../auth/api-key-token.js';
import type { DeveloperCaller } from '../../auth/caller.js';
import { notFound } from '../../errors.js';
import { type Actor, asAnyone, asDeveloper, type EventService } from '../audit/event.service.js';
import type { DomainEvent, KeyList } from '../audit/event.types.js';
import { ApiKey } from './api-key.entity.js';
import type { RevokeApiKey } from './api-key.input.js';
import { blockNewKeys, livingDescendantsOf, ownerOfKey } from './api-key.queries.js';
import type { LeakReport } from './api-key.types.js';

/** What an event of a revocation says besides whose key it is and which. */
type Revocation = Omit<Extract<DomainEvent, { kind: 'key.revoked' | 'key.leaked' }>, 'developerId' | 'keyId'>;

/** Of an event that is told in another's mail. */
const noRecipients: readonly string[] = [];
const maxListed = 50;

/** Revokes keys, alone or with their descendants: the keys made with them or in their place (D103). */
export class ApiKeyRevocationService {
  constructor(
    private readonly em: EntityManager,
    private readonly events: EventService,
  ) {}

  /** Any key may revoke any key of its developer, itself included: a leak must be stoppable. */
  async revoke(caller: DeveloperCaller, { id, descendants }: z.output<typeof RevokeApiKey>): Promise<ApiKey> {
    const developer = caller.developer.id;
    if (descendants) await blockNewKeys(sql`${developer}`).execute(this.em.getKysely());
    const key = await this.lock({ id, developer });
    if (descendants) await this.endFamily('key.revoked', asDeveloper(caller), key);
    else if (!key.revokedAt) await this.endAlone(asDeveloper(caller), key);
    return key;
  }

  /** Anyone who holds a key may end it: they could do worse with it. A repeated report still ends what descends from it. */
  async reportLeak(token: string): Promise<LeakReport> {
    const hash = hashApiKey(token);
    await blockNewKeys(ownerOfKey(hash)).execute(this.em.getKysely());
    const key = await this.lock({ hash });
    const descendantsRevoked = await this.endFamily('key.leaked', asAnyone(key.id), key);
    return { maskedKey: key.maskedKey, revokedAt: key.revokedAt!, descendantsRevoked };
  }

  private async endAlone(actor: Actor, key: ApiKey): Promise<void> {
    const living = await this.livingDescendants(key);
    await this.end(actor, key, {
      kind: 'key.revoked',
      ...(living.length > 0 && { livingDescendants: listOf(living) }),
    });
  }

  /** New keys must be blocked by then, so that no descendant is added meanwhile. One mail tells of all. */
  private async endFamily(kind: Revocation['kind'], actor: Actor, key: ApiKey): Promise<number> {
    const descendants = await this.livingDescendants(key, LockMode.PESSIMISTIC_WRITE);
    if (key.revokedAt && descendants.length === 0) return 0;
    await this.end(actor, key, {
      kind,
      ...(descendants.length > 0 && { revokedDescendants: listOf(descendants) }),
    });
    for (const descendant of descendants)
      await this.end(actor, descendant, { kind: 'key.revoked', ancestorKeyId: key.id }, noRecipients);
    return descendants.length;
  }

  private async end(
    actor: Actor,
    key: ApiKey,
    event: Revocation,
    recipients?: readonly string[],
  ): Promise<void> {
    const before = { status: key.status };
    key.revokedAt ??= new Date();
    await this.events.record(
      actor,
      { ...event, developerId: key.developer.id, keyId: key.id },
      { before, after: { status: key.status } },
      recipients,
    );
  }

  private async livingDescendants(
    key: ApiKey,
    lockMode: LockMode.NONE | LockMode.PESSIMISTIC_WRITE = LockMode.NONE,
  ): Promise<ApiKey[]> {
    const { rows } = await livingDescendantsOf(key.id).execute(this.em.getKysely());
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
  first: keys.slice(0, maxListed).map(({ name, maskedKey }) => ({ name, maskedKey })),
});
