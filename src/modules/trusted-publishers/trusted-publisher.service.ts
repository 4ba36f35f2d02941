import { LockMode, ref } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { DeveloperCaller } from '../../auth/caller.js';
import type { PipelineIdentity, PipelineTokens } from '../../auth/pipeline-token.js';
import { Scope } from '../../auth/scope.js';
import { now, nowMs } from '../../db/clock.js';
import { type ErrorDetail, notFound, ServiceError } from '../../errors.js';
import type { ApiKeyRevocationService } from '../api-keys/api-key.revocation.service.js';
import type { ApiKeyService } from '../api-keys/api-key.service.js';
import type { IssuedApiKey } from '../api-keys/api-key.types.js';
import { Developer } from '../developers/developer.entity.js';
import type { DeveloperService } from '../developers/developer.service.js';
import { asDeveloper, asPipeline, type EventService } from '../events/event.service.js';
import { App } from '../listings/app.entity.js';
import { lockOwnApp } from '../listings/app-lock.service.js';
import { TrustedPublisher } from './trusted-publisher.entity.js';
import type { NewPublisher } from './trusted-publisher.input.js';
import { markTokenUsed } from './trusted-publisher.queries.js';
import { isIdentityOf, pipelineName, whyNot } from './trusted-publisher.rules.js';

const keyLifetimeMs = 15 * 60 * 1000;
/** More pipelines for one app are a mistake, and each is a way in. */
const maxPerApp = 20;
const maxListed = 100;

/** Names pipelines that may publish an app, and exchanges their identities for keys (D407, D408). */
export class TrustedPublisherService {
  constructor(
    private readonly em: EntityManager,
    private readonly events: EventService,
    private readonly developers: DeveloperService,
    private readonly apiKeys: ApiKeyService,
    private readonly revocation: ApiKeyRevocationService,
    private readonly tokens: PipelineTokens,
  ) {}

  /** Reports an issuer that the service does not accept, and a publisher that is too wide. */
  problemsOf({ issuer, workflow, environment }: Partial<z.output<typeof NewPublisher>>): ErrorDetail[] {
    const { issuers } = this.tokens;
    const problems: ErrorDetail[] = [];
    if (issuer !== undefined && !issuers.includes(issuer))
      problems.push({
        field: 'issuer',
        code: 'invalid_value',
        message: `issuer must be one that this service accepts: ${issuers.join(', ') || 'there is none'}.`,
      });
    if (workflow == null && environment == null)
      problems.push({
        field: 'workflow',
        code: 'required',
        message: 'workflow or environment is required, so that not every job of the repository can publish.',
      });
    return problems;
  }

  /** Adds a pipeline. The same one again changes nothing, except for an id of the repository that is given. */
  async add(
    caller: DeveloperCaller,
    appId: string,
    { issuer, repository, repositoryId, workflow, environment }: z.output<typeof NewPublisher>,
  ): Promise<TrustedPublisher> {
    await this.developers.requireVerified(caller);
    const app = await lockOwnApp(this.em, caller, appId);
    const pipeline = { issuer, repository, workflow: workflow ?? null, environment: environment ?? null };
    const same = await this.em.findOne(TrustedPublisher, { app: appId, ...pipeline });
    if (same) {
      if (repositoryId == null || repositoryId === same.repositoryId) return same;
      same.repositoryId = repositoryId;
      await this.recordAdded(caller, same);
      return same;
    }
    if ((await this.em.count(TrustedPublisher, { app: appId })) >= maxPerApp)
      throw new ServiceError(
        'QUOTA_EXCEEDED',
        `An app can have at most ${maxPerApp} trusted publishers. Remove one that you no longer use.`,
      );
    const developer = ref(this.em.getReference(Developer, caller.developer.id));
    const publisher = this.em.create(TrustedPublisher, {
      app: ref(app),
      developer,
      ...pipeline,
      repositoryId: repositoryId ?? null,
    });
    await this.recordAdded(caller, publisher);
    return publisher;
  }

  private async recordAdded(caller: DeveloperCaller, publisher: TrustedPublisher): Promise<void> {
    const { repository, issuer, workflow, environment, repositoryId } = publisher;
    await this.events.record(
      asDeveloper(caller),
      { kind: 'publisher.added', ...about(publisher), repository, issuer },
      {
        after: { issuer, repository, workflow, environment, ...(repositoryId !== null && { repositoryId }) },
      },
    );
  }

  async list({ developer }: DeveloperCaller, appId: string | null): Promise<TrustedPublisher[]> {
    return this.em.find(
      TrustedPublisher,
      { developer: developer.id, ...(appId !== null && { app: appId }) },
      { orderBy: { createdAt: 'desc', id: 'desc' }, limit: maxListed },
    );
  }

  /** Removes a pipeline and revokes its keys, so that it cannot publish any more. */
  async remove(caller: DeveloperCaller, id: string): Promise<TrustedPublisher> {
    const publisher = await this.em.findOne(
      TrustedPublisher,
      { id, developer: caller.developer.id },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    );
    if (!publisher) throw notFound('trusted publisher');
    await this.revocation.revokeKeysOf(asDeveloper(caller), publisher.id);
    const { issuer, repository, workflow, environment } = publisher;
    this.em.remove(publisher);
    await this.events.record(
      asDeveloper(caller),
      { kind: 'publisher.removed', ...about(publisher) },
      { before: { issuer, repository, workflow, environment } },
    );
    return publisher;
  }

  /** Verifies a token of a pipeline. It may load the issuer's keys, so it runs before the transaction. */
  verify(token: string): Promise<PipelineIdentity> {
    return this.tokens.verify(token);
  }

  /** Issues a key for a verified identity. */
  async exchange(identity: PipelineIdentity, slug: string | null): Promise<IssuedApiKey> {
    const publisher = await this.findFor(identity, slug);
    const { id: publisherId } = publisher;
    await this.developers.requireVerifiedById(publisher.developer.id);
    const isFirstUse = await markTokenUsed(this.em, identity);
    if (!isFirstUse)
      throw new ServiceError(
        'INVALID_TOKEN',
        'This token was exchanged before, and each can be exchanged once. Request a new one for this job.',
      );
    publisher.repositoryId ??= identity.repositoryId;
    publisher.lastUsedAt = now();
    const key = await this.apiKeys.issueForPipeline(publisher.developer.id, {
      name: pipelineName(identity),
      scopes: [Scope.APP_READ, Scope.APP_UPDATE],
      expiresAt: new Date(nowMs() + keyLifetimeMs),
      appId: publisher.app.id,
      trustedPublisherId: publisherId,
    });
    const { repository, workflow, environment, ref: gitRef } = identity;
    await this.events.record(
      asPipeline(key.id, publisherId),
      { kind: 'publisher.key-issued', ...about(publisher), keyId: key.id },
      { after: { repository, workflow, environment, ref: gitRef, expiresAt: key.expiresAt } },
    );
    return key;
  }

  /** Finds the publisher that an identity matches, and locks it. */
  private async findFor(identity: PipelineIdentity, slug: string | null): Promise<TrustedPublisher> {
    const { issuer, repository } = identity;
    const named = await this.em.find(
      TrustedPublisher,
      { issuer, repository },
      { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE },
    );
    const fitting = named.filter((publisher) => isIdentityOf(publisher, identity));
    if (fitting.length === 0) throw new ServiceError('FORBIDDEN', whyNot(named, identity));
    // Anybody can name a pipeline. Once one has been used, others that were only named do not make it unclear.
    const used = fitting.filter(({ repositoryId }) => repositoryId !== null);
    const meant = slug === null && used.length > 0 ? used : fitting;
    const apps = await this.em.find(App, { id: meant.map(({ app }) => app.id) });
    const wanted = slug === null ? apps : apps.filter((app) => app.slug === slug);
    if (wanted.length === 1) return meant.find(({ app }) => app.id === wanted[0]!.id)!;
    if (slug !== null)
      throw new ServiceError('FORBIDDEN', `This pipeline may not publish the app "${slug}".`);
    const isOfOne = new Set(meant.map(({ developer }) => developer.id)).size === 1;
    const which = isOfOne ? apps.map((app) => app.slug).join(', ') : 'apps of several developers';
    const message = `slug is required: this pipeline may publish ${which}.`;
    throw new ServiceError('VALIDATION_FAILED', message, [{ field: 'slug', code: 'required', message }]);
  }
}

const about = ({ id, app, developer }: TrustedPublisher) => ({
  developerId: developer.id,
  appId: app.id,
  publisherId: id,
});
