import { LockMode, ref } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import { hashApiKey, maskApiKey, newApiKeyToken } from '../../auth/api-key-token.js';
import type { DeveloperCaller } from '../../auth/caller.js';
import { insufficientScope } from '../../auth/policy.js';
import { type ErrorDetail, notFound } from '../../errors.js';
import { asAnyone, asDeveloper, type EventService } from '../audit/event.service.js';
import { Developer } from '../developers/developer.entity.js';
import type { DeveloperService } from '../developers/developer.service.js';
import type { QuotaService } from '../quotas/quota.service.js';
import { refuseRotation } from './api-key.actions.js';
import { ApiKey, type Scope } from './api-key.entity.js';
import { type CreateApiKey, defaultGraceHours, type RotateApiKey } from './api-key.input.js';
import { keysShownTo } from './api-key.queries.js';
import type { IssuedApiKey, LeakReport } from './api-key.types.js';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/** How developers make, see and revoke their keys. */
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

  /** Any key may revoke any key of its developer, itself included: a leak must be stoppable. */
  async revoke(caller: DeveloperCaller, id: string): Promise<ApiKey> {
    const key = await this.lock({ id, developer: caller.developer.id });
    if (key.revokedAt) return key;
    const before = { status: key.status };
    key.revokedAt = new Date();
    await this.events.record(
      asDeveloper(caller),
      { kind: 'key.revoked', developerId: caller.developer.id, keyId: key.id },
      { before, after: { status: key.status } },
    );
    return key;
  }

  /** The new key has the old one's lifetime anew, and yet never outlives the key that rotates (D90). */
  async rotate(
    caller: DeveloperCaller,
    { id, graceHours }: z.output<typeof RotateApiKey>,
  ): Promise<IssuedApiKey> {
    await this.developers.requireVerified(caller);
    const old = await this.lock({ id, developer: caller.developer.id });
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

  /** Whoever holds a key may end it: they could do worse with it. One that is revoked already answers the same. */
  async reportLeak(token: string): Promise<LeakReport> {
    const key = await this.lock({ hash: hashApiKey(token) });
    const before = { status: key.status };
    const { maskedKey } = key;
    if (key.revokedAt) return { maskedKey, revokedAt: key.revokedAt };
    key.revokedAt = new Date();
    await this.events.record(
      asAnyone(key.id),
      { kind: 'key.leaked', developerId: key.developer.id, keyId: key.id },
      { before, after: { status: key.status } },
    );
    return { maskedKey, revokedAt: key.revokedAt };
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
    });
    await this.em.flush();
    return Object.assign(key, { key: token });
  }

  private async lock(where: { id: string; developer: string } | { hash: Buffer }): Promise<ApiKey> {
    const key = await this.em.findOne(ApiKey, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!key) throw notFound('API key');
    return key;
  }

  /** A child key never outlives its parent: a longer wish is refused. */
  problemsOfLife(caller: DeveloperCaller, expiresInDays: unknown): ErrorDetail[] {
    const most = Math.min(this.lifetime.maxDays, Math.ceil((endOf(caller) - Date.now()) / dayMs));
    if (typeof expiresInDays !== 'number' || expiresInDays <= most) return [];
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
