import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../operations/context.js';
import { Exposes } from '../../operations/expose.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import { type ApiKey, ApiKeyFields } from '../api-keys/api-key.entity.js';
import { App } from '../listings/app.entity.js';
import * as contract from './trusted-publisher.contract.js';
import { TrustedPublisher } from './trusted-publisher.entity.js';

/** The pipelines that may publish apps. */
@Resolver(() => TrustedPublisher)
@Exposes(contract)
export class TrustedPublisherResolver {
  @GraphQLOnly()
  @FieldResolver(() => App, { description: 'The app that the pipeline may publish.' })
  app(@Root() { app }: TrustedPublisher, @Ctx() { loaders }: Context) {
    return loaders.app.load(app.id);
  }
}

/** The GraphQL fields of keys that pipelines hold. */
@Resolver(() => ApiKeyFields)
export class PipelineKeyResolver {
  @GraphQLOnly()
  @FieldResolver(() => App, {
    nullable: true,
    description:
      'The only app that the key works for, if a pipeline got it for its identity; null for a key that works for all apps, and if the app was deleted.',
  })
  app(@Root() { appId }: ApiKey, @Ctx() { loaders }: Context) {
    return appId && loaders.appIfAny.load(appId);
  }

  @GraphQLOnly()
  @FieldResolver(() => Boolean, {
    description: 'True if a pipeline got the key in exchange for its identity. Such a key lives 15 minutes.',
  })
  isOfPipeline(@Root() { trustedPublisherId }: ApiKey): boolean {
    return trustedPublisherId !== null;
  }
}
