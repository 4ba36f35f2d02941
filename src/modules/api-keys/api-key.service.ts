import { LockMode, ref } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import { hashApiKey, maskApiKey, newApiKeyToken } from '../../auth/api-key-token.js';
import type { DeveloperCaller } from '../../auth/caller.js';
import { insufficientScope, keyRevoked } from '../../auth/policy.js';
import type { Scope } from '../../auth/scope.js';
import { type ErrorDetail, notFound } from '../../errors.js';
import { asDeveloper, type EventService } from '../audit/event.service.js';
import { Developer } from '../developers/developer.entity.js';
import type { DeveloperService } from '../developers/developer.service.js';
import type { QuotaService } from '../quotas/quota.service.js';
import { refuseRotation } from './api-key.actions.js';
import { ApiKey } from './api-key.entity.js';
import { type CreateApiKey, defaultGraceHours, type RotateApiKey } from './api-key.input.js';
import { keysShownTo } from './api-key.queries.js';
import type { IssuedApiKey } from './api-key.types.js';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/** How developers make and see their keys. */
export class ApiKeyService {
  constructor(
    private readonly em: EntityManager,
    private readonly developers: DeveloperService,
    private readonly events: EventService,
    private readonly lifetime: { defaultDays: number; maxDays: number },
    private readonly quotas: QuotaService,
  ) {}

  async create(caller: DeveloperCaller, input: z.output<typeof CreateApiKey>): Promise<IssuedApiKey> {
    await this.developers.requireVerified(caller);
    await this.requireUnrevoked(caller);
    const expiresAt = this.expiryFor(caller, input.expiresInDays ?? null);
    const scopes = [...new Set(input.scopes)];
    if (caller.kind === 'key' && !scopes.every((scope) => caller.scopes.has(scope)))
      throw insufficientScope(scopes, caller.scopes);
    await this.quotas.requireRoomForKey(caller.developer.id);

    const key = await this.issue(caller, { name: input.name, scopes, expiresAt });
    await this.events.record(
      asDeveloper(caller),
      { kind: 'key.created', developerId: caller.developer.id, keyId: key.id },
      { after: { name: key.name, scopes, expiresAt, status: key.status } },
    );
    return key;
  }

  async list(caller: DeveloperCaller): Promise<ApiKey[]> {
    const { rows } = await keysShownTo(caller.developer.id).execute(this.em.getKysely());
    return this.em.find(
      ApiKey,
      { id: rows.map(({ id }) => id) },
      { orderBy: { createdAt: 'desc', id: 'desc' } },
    );
  }

  /** The new key has the old one's lifetime anew, and yet never outlives the key that rotates (D90). */
  async rotate(
    caller: DeveloperCaller,
    { id, graceHours }: z.output<typeof RotateApiKey>,
  ): Promise<IssuedApiKey> {
    await this.developers.requireVerified(caller);
    await this.requireUnrevoked(caller);
    const old = await this.lock(id, caller.developer.id);
    refuseRotation(caller, old);
    // Without a grace time one key takes the place of the other.
    if (graceHours !== 0) await this.quotas.requireRoomForKey(caller.developer.id);
    const { name, scopes } = old;
    const before = { expiresAt: old.expiresAt };
    const now = Date.now();
    const lifetimeMs = Math.min(
      old.expiresAt.getTime() - old.createdAt.getTime(),
      this.lifetime.maxDays * dayMs,
    );
    const key = await this.issue(caller, {
      name,
      scopes,
      expiresAt: new Date(Math.min(now + lifetimeMs, endOf(caller))),
    });
    old.expiresAt = new Date(
      Math.min(now + (graceHours ?? defaultGraceHours) * hourMs, old.expiresAt.getTime()),
    );
    old.successorId = key.id;
    const formerUntil = old.expiresAt.toISOString();
    await this.events.record(
      asDeveloper(caller),
      {
        kind: 'key.rotated',
        developerId: caller.developer.id,
        keyId: key.id,
        formerKeyId: old.id,
        formerUntil,
      },
      { before, after: { expiresAt: formerUntil, successor: { name, scopes, expiresAt: key.expiresAt } } },
    );
    return key;
  }

  private async issue(
    caller: DeveloperCaller,
    fields: { name: string; scopes: Scope[]; expiresAt: Date },
  ): Promise<IssuedApiKey> {
    const token = newApiKeyToken();
    const key = this.em.create(ApiKey, {
      ...fields,
      developer: ref(this.em.getReference(Developer, caller.developer.id)),
      maskedKey: maskApiKey(token),
      hash: hashApiKey(token),
      createdByKeyId: caller.kind === 'key' ? caller.keyId : null,
    });
    await this.em.flush();
    return Object.assign(key, { key: token });
  }

  private async lock(id: string, developer: string): Promise<ApiKey> {
    const key = await this.em.findOne(ApiKey, { id, developer }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!key) throw notFound('API key');
    return key;
  }

  /**
   * Checks again that the caller's own key is not revoked, now that new keys are no longer blocked: a revocation with
   * descendants must not miss a key that is made with one of them at the same time.
   */
  private async requireUnrevoked(caller: DeveloperCaller): Promise<void> {
    if (caller.kind !== 'key') return;
    // In a fork, since a key that rotates itself is read once more under its lock.
    const own = await this.em.fork({ keepTransactionContext: true }).findOne(ApiKey, { id: caller.keyId });
    if (own?.revokedAt) throw keyRevoked(own.revokedAt);
  }

  /** Returns why a key cannot live that long: it must not outlive the key that creates it. */
  problemsOfLifetime(caller: DeveloperCaller, expiresInDays: number | null | undefined): ErrorDetail[] {
    const most = Math.min(this.lifetime.maxDays, Math.ceil((endOf(caller) - Date.now()) / dayMs));
    if (expiresInDays == null || expiresInDays <= most) return [];
    const why = most < this.lifetime.maxDays ? ', since a key cannot outlive the key that makes it' : '';
    return [
      { field: 'expiresInDays', code: 'too_big', message: `expiresInDays must be at most ${most}${why}.` },
    ];
  }

  /** No wish, and the last day of one, are cut to the parent's end. */
  private expiryFor(caller: DeveloperCaller, wished: number | null): Date {
    const days = wished ?? this.lifetime.defaultDays;
    return new Date(Math.min(Date.now() + days * dayMs, endOf(caller)));
  }
}

/** When the caller's own credential stops working, as far as it binds the keys that it makes. */
const endOf = (caller: DeveloperCaller) =>
  caller.kind === 'key' ? caller.expiresAt.getTime() : Number.POSITIVE_INFINITY;
