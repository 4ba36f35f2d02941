import 'reflect-metadata';
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { buildSchema, getMetadataStorage } from 'type-graphql';
import { AnalyticsResolver } from '../modules/analytics/analytics.resolver.js';
import { ApiKeyResolver } from '../modules/api-keys/api-key.resolver.js';
import {
  AppHistoryResolver,
  AppResolver,
  MessagesLengthResolver,
  RejectionReasonResolver,
  TimelineLengthResolver,
} from '../modules/apps/app.resolver.js';
import { AuditResolver } from '../modules/audit/audit.resolver.js';
import { CatalogResolver } from '../modules/catalog/catalog.resolver.js';
import { DeveloperResolver } from '../modules/developers/developer.resolver.js';
import { InstallResolver } from '../modules/installs/install.resolver.js';
import {
  PreflightResolver,
  QueueFindingsResolver,
  VersionFindingsResolver,
} from '../modules/preflight/preflight.resolver.js';
import { RatingModerationResolver, RatingResolver } from '../modules/ratings/rating.resolver.js';
import { ReviewResolver, SubmissionResolver } from '../modules/review/review.resolver.js';
import { VersionResolver } from '../modules/versions/version.resolver.js';
import { WebhookResolver } from '../modules/webhooks/webhook.resolver.js';

let built: Promise<GraphQLSchema> | null = null;

/** Returns the GraphQL schema. It is built once per process. */
export function buildGraphQLSchema(): Promise<GraphQLSchema> {
  built ??= build();
  return built;
}

async function build(): Promise<GraphQLSchema> {
  // Lets graphql-js read plain fields without type-graphql's middleware; field resolvers are not affected.
  for (const type of getMetadataStorage().objectTypes) type.simpleResolvers = true;
  const schema = await buildSchema({
    resolvers: [
      DeveloperResolver,
      ApiKeyResolver,
      AppResolver,
      AppHistoryResolver,
      TimelineLengthResolver,
      MessagesLengthResolver,
      PreflightResolver,
      QueueFindingsResolver,
      VersionFindingsResolver,
      AnalyticsResolver,
      ReviewResolver,
      SubmissionResolver,
      VersionResolver,
      RejectionReasonResolver,
      CatalogResolver,
      InstallResolver,
      RatingResolver,
      RatingModerationResolver,
      WebhookResolver,
      AuditResolver,
    ],
    // zod validates the inputs.
    validate: false,
    // Required by type-graphql where there are subscriptions; ours bring their own events.
    pubSub: noPubSub,
    // A test validates the schema, so that starting does not have to.
    skipCheck: true,
  });
  schema.getQueryType()!.description = 'Operations that read.';
  schema.getMutationType()!.description = 'Operations that change something. Each one is a transaction.';
  schema.getSubscriptionType()!.description =
    'Operations that report changes while the client listens, at `/graphql/stream` (server-sent events).';
  return schema;
}

const noEvents = () => {
  throw new Error('subscriptions are fed by the database');
};
const noPubSub = { publish: noEvents, subscribe: noEvents };

/** Prints the schema in a fixed order, so that a diff shows only changes. */
export const printSdl = (schema: GraphQLSchema) => `${printSchema(lexicographicSortSchema(schema))}\n`;
