import type { EntityManager } from '@mikro-orm/postgresql';
import type { DeveloperCaller } from '../../auth/caller.js';
import { notFound, ServiceError } from '../../errors.js';
import { ApiKey, ApiKeyStatus } from '../api-keys/api-key.entity.js';
import { activeDescendantsOf } from '../api-keys/api-key.queries.js';
import type { ApiKeyRevocationService } from '../api-keys/api-key.revocation.service.js';
import { timelineEntry } from '../audit/timeline.rules.js';
import { profileKinds } from '../developers/profile-change.queries.js';
import { AuditEvent } from '../events/audit-event.entity.js';
import { asDeveloper } from '../events/event.service.js';
import type { EventKind } from '../events/event.types.js';
import { WebhookEndpoint } from '../webhooks/webhook-endpoint.entity.js';
import type { WebhookEndpointService } from '../webhooks/webhook-endpoint.service.js';
import { ownedBy } from '../webhooks/webhook-owner.rules.js';
import {
  endpointsChangedBy,
  eventsOfFamily,
  openChangesSince,
  outcomesOf,
  ownEnablings,
} from './key-change.queries.js';
import { type KeyChange, KeyChangeResult, type KeyChanges } from './key-change.types.js';
import { type ProfileUndoService, undoableSince } from './profile-undo.service.js';

const maxListed = 100;
const endpointKinds: readonly EventKind[] = [
  'webhook.created',
  'webhook.updated',
  'webhook.enabled',
  'webhook.secret-rotated',
];

/** Lists and undoes what was done with an API key and its descendants (D324). */
export class KeyChangeService {
  constructor(
    private readonly em: EntityManager,
    private readonly profile: ProfileUndoService,
    private readonly endpoints: WebhookEndpointService,
    private readonly revocation: ApiKeyRevocationService,
  ) {}

  async list(caller: DeveloperCaller, keyId: string): Promise<KeyChanges> {
    const key = await this.find(caller, keyId);
    // Lists of their own, so that many changes of one kind do not hide those of another.
    const events = [
      ...(await this.latest(keyId, { of: profileKinds })),
      ...(await this.latest(keyId, { of: endpointKinds })),
      ...(await this.latest(keyId, { notOf: [...profileKinds, ...endpointKinds] })),
    ];
    const resultOf = await this.results(caller.developer.id, events);
    const changes = events
      .sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime())
      .map((event) => keyChange(event, resultOf(event)));
    const { rows } = await activeDescendantsOf(keyId).execute(this.em.getKysely());
    const activeDescendants = await this.em.find(ApiKey, { id: rows.map(({ id }) => id) });
    return { key, changes, activeDescendants };
  }

  private async latest(keyId: string, kinds: Parameters<typeof eventsOfFamily>[2]): Promise<AuditEvent[]> {
    const statement = eventsOfFamily(keyId, undoableSince(), kinds, maxListed);
    const { rows } = await statement.execute(this.em.getKysely());
    return this.em.find(
      AuditEvent,
      { id: rows.map(({ id }) => id), createdAt: { $gte: undoableSince() } },
      { orderBy: { createdAt: 'desc', id: 'desc' } },
    );
  }

  async undo(caller: DeveloperCaller, keyId: string): Promise<KeyChanges> {
    const developer = await this.profile.lock(caller.developer.id);
    const key = await this.find(caller, keyId);
    if (key.status !== ApiKeyStatus.REVOKED)
      throw new ServiceError(
        'INVALID_TRANSITION',
        'This key is not revoked, so it could make the same changes again. Call revokeApiKey first, with `descendants: true` if it has leaked.',
      );
    await this.revocation.lockWithDescendants(developer.id, keyId);
    const endpoints = await this.endpointsToDisable(caller, keyId);
    // First, so that no other key of the family changes again what is undone.
    await this.revocation.revokeWithDescendants(asDeveloper(caller), developer.id, keyId);
    await this.profile.revert(asDeveloper(caller), developer, {
      developerId: developer.id,
      keyId,
      which: openChangesSince(undoableSince()),
    });
    for (const { id } of endpoints)
      await this.endpoints.disable(
        ownedBy(caller),
        id,
        `The revoked API key ${key.maskedKey}, or a key that was created with it, had created or changed this endpoint. Check its URL and its events, rotate its secret, then enable it.`,
      );
    await this.em.flush();
    return this.list(caller, keyId);
  }

  /**
   * Locks the endpoints that the keys created or changed, except those that the account has enabled since. Called before
   * anything is recorded, because an event takes the developer's position in the audit log, the last lock of all.
   */
  private async endpointsToDisable(caller: DeveloperCaller, keyId: string): Promise<WebhookEndpoint[]> {
    const { rows } = await endpointsChangedBy(keyId, undoableSince()).execute(this.em.getKysely());
    const changedAt = new Map(rows.map(({ id, at_ms }) => [id, at_ms]));
    const endpoints = await this.endpoints.lockAll(ownedBy(caller), [...changedAt.keys()]);
    const enabled = await this.lastEnablings(caller.developer.id, undoableSince());
    return endpoints.filter(({ id }) => !((enabled.get(id) ?? 0) > changedAt.get(id)!));
  }

  /** Returns the function that tells whether a change of the profile or of an endpoint is undone. */
  private async results(developerId: string, events: readonly AuditEvent[]) {
    const profileIds = events.flatMap(({ id, kind }) => (profileKinds.includes(kind) ? [id] : []));
    const { rows } = await outcomesOf(profileIds, undoableSince()).execute(this.em.getKysely());
    const profile = new Map(rows.map((row) => [row.id, row]));
    const endpoints = new Map(
      (await this.em.find(WebhookEndpoint, { developer: developerId })).map((row) => [row.id, row]),
    );
    const ownTimes = await this.profile.lastOwnChanges(developerId);
    const enabled = await this.lastEnablings(developerId, undoableSince());
    return ({ id, kind, data, createdAt }: AuditEvent): KeyChangeResult => {
      const isLater = (atMs = 0) => atMs > createdAt.getTime();
      const change = profile.get(id);
      if (change) {
        const isKept = change.fields.every((field) => isLater(ownTimes[field]));
        return KeyChangeResult[change.outcome ?? (isKept ? 'KEPT' : 'OPEN')];
      }
      const endpoint = endpointKinds.includes(kind) ? endpoints.get(String(data.endpointId)) : undefined;
      if (!endpoint) return KeyChangeResult.LISTED;
      if (endpoint.disabledAt) return KeyChangeResult.REVERTED;
      return isLater(enabled.get(endpoint.id)) ? KeyChangeResult.KEPT : KeyChangeResult.OPEN;
    };
  }

  private async lastEnablings(developerId: string, since: Date): Promise<ReadonlyMap<string, number>> {
    const { rows } = await ownEnablings(developerId, since).execute(this.em.getKysely());
    return new Map(rows.map(({ id, at_ms }) => [id, at_ms]));
  }

  private async find({ developer }: DeveloperCaller, id: string): Promise<ApiKey> {
    const key = await this.em.findOne(ApiKey, { id, developer: developer.id });
    if (!key) throw notFound('API key');
    return key;
  }
}

function keyChange(event: AuditEvent, result: KeyChangeResult): KeyChange {
  const { id, kind, actorKey, appId, data, createdAt } = event;
  return {
    id,
    at: createdAt,
    eventKind: kind,
    keyId: actorKey!,
    appId,
    endpointId: typeof data.endpointId === 'string' ? data.endpointId : null,
    changes: timelineEntry(event).changes,
    result,
  };
}
