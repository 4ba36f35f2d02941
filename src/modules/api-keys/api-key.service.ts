import { LockMode, ref } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import { hashApiKey, maskApiKey, newApiKeyToken } from '../../auth/api-key-token.js';
import type { DeveloperCaller } from '../../auth/caller.js';
import { insufficientScope } from '../../auth/policy.js';
import { type ErrorDetail, notFound } from '../../errors.js';
import { asDeveloper, type EventService } from '../audit/event.service.js';
import { Developer } from '../developers/developer.entity.js';
import type { DeveloperService } from '../developers/developer.service.js';
import { ApiKey } from './api-key.entity.js';
import type { CreateApiKey } from './api-key.input.js';
import type { IssuedApiKey } from './api-key.types.js';

const dayMs = 24 * 60 * 60 * 1000;

/** How developers make, see and revoke their keys. */
export class ApiKeyService {
  constructor(
    private readonly em: EntityManager,
    private readonly developers: DeveloperService,
    private readonly events: EventService,
    private readonly lifetime: { defaultDays: number; maxDays: number },
  ) {}

  async create(caller: DeveloperCaller, input: z.output<typeof CreateApiKey>): Promise<IssuedApiKey> {
    await this.developers.requireVerified(caller);
    const expiresAt = this.expiryFor(caller, input.expiresInDays ?? null);
    const scopes = [...new Set(input.scopes)];
    if (caller.kind === 'key' && !scopes.every((scope) => caller.scopes.has(scope)))
      throw insufficientScope(scopes, caller.scopes);

    const token = newApiKeyToken();
    const developer = ref(this.em.getReference(Developer, caller.developer.id));
    const key = this.em.create(ApiKey, {
      name: input.name,
      scopes,
      expiresAt,
      developer,
      maskedKey: maskApiKey(token),
      hash: hashApiKey(token),
    });
    await this.em.flush();
    await this.events.record(
      asDeveloper(caller),
      { kind: 'key.created', developerId: caller.developer.id, keyId: key.id },
      { after: { name: key.name, scopes, expiresAt, status: key.status } },
    );
    return Object.assign(key, { key: token });
  }

  async list(caller: DeveloperCaller): Promise<ApiKey[]> {
    return this.em.find(
      ApiKey,
      { developer: caller.developer.id },
      { orderBy: { createdAt: 'desc', id: 'desc' } },
    );
  }

  /** Any key may revoke any key of its developer, itself included: a leak must be stoppable. */
  async revoke(caller: DeveloperCaller, id: string): Promise<ApiKey> {
    const key = await this.em.findOne(
      ApiKey,
      { id, developer: caller.developer.id },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    );
    if (!key) throw notFound('API key');
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
