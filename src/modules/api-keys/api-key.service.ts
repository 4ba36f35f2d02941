import { LockMode, ref } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import { hashApiKey, maskApiKey, newApiKeyToken } from '../../auth/api-key-token.js';
import type { DeveloperCaller } from '../../auth/caller.js';
import { insufficientScope } from '../../auth/policy.js';
import type { Scope } from '../../auth/scope.js';
import { nowMs } from '../../db/clock.js';
import { type ErrorDetail, notFound } from '../../errors.js';
import { requireUnrevokedKey } from '../developers/caller-key.queries.js';
import { Developer } from '../developers/developer.entity.js';
import type { DeveloperService } from '../developers/developer.service.js';
import { asDeveloper, type EventService } from '../events/event.service.js';
import type { QuotaService } from '../quotas/quota.service.js';
import { ApiKey } from './api-key.entity.js';
import { type CreateApiKey, defaultGraceHours, type RotateApiKey } from './api-key.input.js';
import { keysShownTo } from './api-key.queries.js';
import { requireRotatable } from './api-key.rules.js';
import type { IssuedApiKey } from './api-key.types.js';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/** The fields of a new key. */
interface KeyFields {
  name: string;
  scopes: Scope[];
  expiresAt: Date;
}

/** Creates, rotates and lists the caller's API keys. */
export class ApiKeyService {
  constructor(
    private readonly em: EntityManager,
    private readonly developers: DeveloperService,
    private readonly events: EventService,
    private readonly lifetime: { defaultDays: number; maxDays: number },
    private readonly quotas: QuotaService,
  ) {}

  async create(caller: DeveloperCaller, input: z.output<typeof CreateApiKey>): Promise<IssuedApiKey> {
    await this.lockDeveloper(caller);
    const expiresAt = this.expiryFor(caller, input.expiresInDays ?? null);
    const scopes = [...new Set(input.scopes)];
    if (caller.kind === 'key' && !scopes.every((scope) => caller.scopes.has(scope)))
      throw insufficientScope(scopes, caller.scopes);
    await this.quotas.requireRoomFor('keys', caller.developer.id);

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

  /** The new key gets the same lifetime as the old one, but never outlives the key that is used to rotate it (D90). */
  async rotate(
    caller: DeveloperCaller,
    { id, graceHours }: z.output<typeof RotateApiKey>,
  ): Promise<IssuedApiKey> {
    await this.lockDeveloper(caller);
    const old = await this.lock(id, caller.developer.id);
    requireRotatable(caller, old);
    // Without a grace period the new key replaces the old one, so the number of active keys does not change.
    if (graceHours !== 0) await this.quotas.requireRoomFor('keys', caller.developer.id);
    const { name, scopes } = old;
    const before = { expiresAt: old.expiresAt };
    const now = nowMs();
    const lifetimeMs = Math.min(
      old.expiresAt.getTime() - old.createdAt.getTime(),
      this.lifetime.maxDays * dayMs,
    );
    const key = await this.issue(caller, {
      name,
      scopes,
      expiresAt: new Date(Math.min(now + lifetimeMs, expiryOf(caller))),
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

  /**
   * Locks the verified developer, and checks again that the caller's own key is not revoked: a revocation with descendants
   * (`blockNewKeys`) must not miss a key that is created at the same time.
   */
  private async lockDeveloper(caller: DeveloperCaller): Promise<void> {
    await this.developers.requireVerified(caller);
    await requireUnrevokedKey(this.em, keyIdOf(caller));
  }

  /** Issues a key to a pipeline, for one app (D408). */
  async issueForPipeline(
    developerId: string,
    fields: KeyFields & { appId: string; trustedPublisherId: string },
  ): Promise<IssuedApiKey> {
    await this.quotas.requireRoomFor('pipelineKeys', developerId);
    return this.issueTo(developerId, fields);
  }

  private issue(caller: DeveloperCaller, fields: KeyFields): Promise<IssuedApiKey> {
    return this.issueTo(caller.developer.id, { ...fields, createdByKeyId: keyIdOf(caller) });
  }

  private async issueTo(developerId: string, fields: KeyFields & Partial<ApiKey>): Promise<IssuedApiKey> {
    const token = newApiKeyToken();
    const key = this.em.create(ApiKey, {
      ...fields,
      developer: ref(this.em.getReference(Developer, developerId)),
      maskedKey: maskApiKey(token),
      hash: hashApiKey(token),
    });
    await this.em.flush();
    return Object.assign(key, { key: token });
  }

  private async lock(id: string, developer: string): Promise<ApiKey> {
    const key = await this.em.findOne(ApiKey, { id, developer }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!key) throw notFound('API key');
    return key;
  }

  /** Reports a lifetime beyond the limit, or beyond the expiry of the key that creates the new one. */
  problemsOfLifetime(caller: DeveloperCaller, expiresInDays: number | null | undefined): ErrorDetail[] {
    const most = Math.min(this.lifetime.maxDays, Math.ceil((expiryOf(caller) - nowMs()) / dayMs));
    if (expiresInDays == null || expiresInDays <= most) return [];
    const why = most < this.lifetime.maxDays ? ', because a key cannot outlive the key that creates it' : '';
    return [
      { field: 'expiresInDays', code: 'too_big', message: `expiresInDays must be at most ${most}${why}.` },
    ];
  }

  /** Caps the expiry at that of the key that creates the new one. */
  private expiryFor(caller: DeveloperCaller, expiresInDays: number | null): Date {
    const days = expiresInDays ?? this.lifetime.defaultDays;
    return new Date(Math.min(nowMs() + days * dayMs, expiryOf(caller)));
  }
}

const keyIdOf = (caller: DeveloperCaller) => (caller.kind === 'key' ? caller.keyId : null);

/** Returns when the caller's API key expires; never for an account token, which does not limit the keys it creates. */
const expiryOf = (caller: DeveloperCaller) =>
  caller.kind === 'key' ? caller.expiresAt.getTime() : Number.POSITIVE_INFINITY;
