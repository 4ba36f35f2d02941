import { isDeepStrictEqual } from 'node:util';
import { LockMode, ref } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import { now, nowMs } from '../../db/clock.js';
import type { SecretCipher } from '../../db/secrets.js';
import { type ErrorDetail, notFound, ServiceError } from '../../errors.js';
import type { AddressGuard } from '../../net/address-guard.js';
import { FetchProblem } from '../../net/fetch-problem.js';
import { requireUnrevokedKey } from '../developers/caller-key.queries.js';
import { Developer } from '../developers/developer.entity.js';
import type { Actor, EventService } from '../events/event.service.js';
import type { DomainEvent, EventChange } from '../events/event.types.js';
import type {
  CreateWebhookEndpoint,
  UpdateWebhookEndpoint,
  WebhookEndpointChanges,
} from './webhook.input.js';
import type { DeletedWebhookEndpoint, IssuedWebhookEndpoint } from './webhook.types.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import type { EndpointOwner } from './webhook-owner.rules.js';
import { encryptSecret, newWebhookSecret } from './webhook-secret.service.js';

const maxEndpoints = 10;
const formerSecretHours = 24;
const hourMs = 60 * 60 * 1000;

/** Webhook endpoints of developers and of the administration. */
export class WebhookEndpointService {
  constructor(
    private readonly em: EntityManager,
    private readonly events: EventService,
    private readonly guard: AddressGuard,
    private readonly httpsOnly: boolean,
    private readonly cipher: SecretCipher,
  ) {}

  async create(
    owner: EndpointOwner,
    { url, description, ...types }: z.output<typeof CreateWebhookEndpoint>,
  ): Promise<IssuedWebhookEndpoint> {
    await requireUnrevokedKey(this.em, owner.actor.key, 'for key share');
    await this.requireRoom(owner);
    const secret = newWebhookSecret();
    const endpoint = this.em.create(WebhookEndpoint, {
      developer: owner.developerId === null ? null : ref(this.em.getReference(Developer, owner.developerId)),
      url,
      events: eventsOf(types) ?? [],
      description: description || null,
      signingSecret: '',
    });
    endpoint.signingSecret = encryptSecret(this.cipher, endpoint.id, secret);
    await this.record(owner, { kind: 'webhook.created', ...about(endpoint) }, { after: stateOf(endpoint) });
    return Object.assign(endpoint, { secret });
  }

  /** Lists the newest endpoints first. */
  async list(owner: EndpointOwner): Promise<WebhookEndpoint[]> {
    return this.em.find(
      WebhookEndpoint,
      { developer: owner.developerId },
      { orderBy: { createdAt: 'desc', id: 'desc' } },
    );
  }

  async update(
    owner: EndpointOwner,
    { id, url, description, ...types }: z.output<typeof UpdateWebhookEndpoint>,
  ): Promise<WebhookEndpoint> {
    const endpoint = await this.lock(owner, id);
    const wanted = {
      url: url ?? endpoint.url,
      events: eventsOf(types) ?? endpoint.events,
      description: description === undefined ? endpoint.description : description || null,
    };
    const changed = (['url', 'events', 'description'] as const).filter(
      (field) => !isDeepStrictEqual(wanted[field], endpoint[field]),
    );
    if (changed.length === 0) return endpoint;
    const before = stateOf(endpoint);
    Object.assign(endpoint, wanted);
    // The failures were those of the former receiver.
    if (changed.includes('url')) endpoint.failingSince = null;
    const change = { before, after: stateOf(endpoint) };
    await this.record(owner, { kind: 'webhook.updated', ...about(endpoint), changed }, change);
    return endpoint;
  }

  /** Deletes an endpoint with all its deliveries. */
  async delete(owner: EndpointOwner, id: string): Promise<DeletedWebhookEndpoint> {
    const endpoint = await this.lock(owner, id);
    this.em.remove(endpoint);
    await this.record(owner, { kind: 'webhook.deleted', ...about(endpoint) }, { before: stateOf(endpoint) });
    return { id, deleted: true };
  }

  /** Replaces the secret. For 24 hours messages are signed with both secrets, so that the receiver can be switched without loss. */
  async rotateSecret(owner: EndpointOwner, id: string): Promise<IssuedWebhookEndpoint> {
    const endpoint = await this.lock(owner, id);
    const secret = newWebhookSecret();
    const before = { formerSecretUntil: endpoint.formerSecretUntil };
    const formerSecretUntil = new Date(nowMs() + formerSecretHours * hourMs);
    endpoint.formerSecret = endpoint.signingSecret;
    endpoint.formerSecretUntil = formerSecretUntil;
    endpoint.signingSecret = encryptSecret(this.cipher, id, secret);
    const formerUntil = formerSecretUntil.toISOString();
    await this.record(
      owner,
      { kind: 'webhook.secret-rotated', ...about(endpoint), formerUntil },
      { before, after: { formerSecretUntil } },
    );
    return Object.assign(endpoint, { secret });
  }

  /** Enables an endpoint. An endpoint that is enabled already is returned unchanged. */
  async enable(owner: EndpointOwner, id: string): Promise<WebhookEndpoint> {
    const endpoint = await this.lock(owner, id);
    if (!endpoint.disabledAt) return endpoint;
    const before = stateOf(endpoint);
    endpoint.disabledAt = null;
    endpoint.disabledReason = null;
    endpoint.failingSince = null;
    const change = { before, after: stateOf(endpoint) };
    await this.record(owner, { kind: 'webhook.enabled', ...about(endpoint) }, change);
    return endpoint;
  }

  /** Disables an endpoint. An endpoint that is disabled already is returned unchanged. */
  async disable(owner: EndpointOwner, id: string, reason: string): Promise<WebhookEndpoint> {
    const endpoint = await this.lock(owner, id);
    await disableEndpoint(this.events, owner.actor, endpoint, reason);
    return endpoint;
  }

  /** Returns the owner's endpoint, and locks its row until the end of the transaction. */
  async lock(owner: EndpointOwner, id: string): Promise<WebhookEndpoint> {
    await requireUnrevokedKey(this.em, owner.actor.key, 'for key share');
    const endpoint = await this.em.findOne(
      WebhookEndpoint,
      { id, developer: owner.developerId },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    );
    if (!endpoint) throw notFound('webhook endpoint');
    return endpoint;
  }

  /** Locks several of the owner's endpoints for another service, which then disables them. */
  async lockAll({ developerId }: EndpointOwner, ids: readonly string[]): Promise<WebhookEndpoint[]> {
    const options = { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE } as const;
    return this.em.find(WebhookEndpoint, { id: [...ids], developer: developerId }, options);
  }

  /** Returns why a URL cannot be an endpoint. The address that its host name resolves to is checked with each delivery. */
  problemsOfUrl(url: string | undefined): ErrorDetail[] {
    if (url === undefined) return [];
    if (this.httpsOnly && new URL(url).protocol === 'http:')
      return [{ field: 'url', code: 'https_required', message: 'url must start with https://.' }];
    try {
      this.guard.assertPublicUrl(url);
    } catch (error) {
      if (error instanceof FetchProblem && error.code === 'not_public')
        return [{ field: 'url', code: 'not_public', message: `url cannot be used: ${error.message}` }];
    }
    return [];
  }

  /** Enforces the limit under a lock, so that parallel requests cannot exceed it. */
  private async requireRoom(owner: EndpointOwner): Promise<void> {
    const { developerId } = owner;
    await this.em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [
      `webhook-endpoints:${developerId ?? 'administration'}`,
    ]);
    if ((await this.em.count(WebhookEndpoint, { developer: developerId })) < maxEndpoints) return;
    const subject = developerId === null ? 'The administration' : 'A developer';
    const message = `${subject} can have at most ${maxEndpoints} webhook endpoints. Delete one first.`;
    throw new ServiceError('VALIDATION_FAILED', message, [{ field: '', code: 'too_many', message }]);
  }

  private async record(owner: EndpointOwner, event: EndpointEvent, change: EventChange): Promise<void> {
    await this.events.record(owner.actor, { developerId: owner.developerId, ...event }, change);
  }
}

/** Disables an endpoint whose row is locked. The event is recorded, mailed, and sent to the owner's other endpoints. */
export async function disableEndpoint(
  events: EventService,
  actor: Actor,
  endpoint: WebhookEndpoint,
  reason: string,
): Promise<void> {
  if (endpoint.disabledAt) return;
  const before = stateOf(endpoint);
  endpoint.disabledAt = now();
  endpoint.disabledReason = reason;
  const developerId = endpoint.developer?.id ?? null;
  const change = { before, after: stateOf(endpoint) };
  await events.record(actor, { kind: 'webhook.disabled', developerId, ...about(endpoint), reason }, change);
}

/** Returns the types of both lists; undefined if neither is given. */
const eventsOf = ({
  events,
  eventKinds,
}: Pick<z.output<typeof WebhookEndpointChanges>, 'events' | 'eventKinds'>): string[] | undefined =>
  events === undefined && eventKinds === undefined
    ? undefined
    : [...new Set([...(events ?? []), ...(eventKinds ?? [])])];

/** An event about an endpoint, without the developer, who is always its owner. */
type EndpointEvent = DomainEvent extends infer E
  ? E extends { endpointId: string }
    ? Omit<E, 'developerId'>
    : never
  : never;

const about = ({ id, url }: WebhookEndpoint) => ({ endpointId: id, host: new URL(url).host });

/** The fields of an endpoint for the audit log. Only the host of the URL is logged, because many webhook URLs contain a secret. */
const stateOf = ({ url, events, description, disabledAt }: WebhookEndpoint) => ({
  host: new URL(url).host,
  events: [...events],
  description,
  enabled: disabledAt === null,
});
