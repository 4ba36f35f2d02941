import 'reflect-metadata';
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { buildSchema } from 'type-graphql';
import { AnalyticsResolver } from '../modules/analytics/analytics.resolver.js';
import { ApiKeyResolver } from '../modules/api-keys/api-key.resolver.js';
import { AppResolver, RejectionReasonResolver } from '../modules/apps/app.resolver.js';
import { AuditResolver } from '../modules/audit/audit.resolver.js';
import { CatalogResolver } from '../modules/catalog/catalog.resolver.js';
import { DeveloperResolver } from '../modules/developers/developer.resolver.js';
import { InstallResolver } from '../modules/installs/install.resolver.js';
import {
  PreflightResolver,
  QueueFindingsResolver,
  VersionFindingsResolver,
} from '../modules/preflight/preflight.resolver.js';
import { RatingResolver } from '../modules/ratings/rating.resolver.js';
import { ReviewResolver } from '../modules/review/review.resolver.js';
import { VersionResolver } from '../modules/versions/version.resolver.js';
import { WebhookResolver } from '../modules/webhooks/webhook.resolver.js';

/** The GraphQL schema; zod validates the inputs, so type-graphql need not. */
export const buildGraphQLSchema = (): Promise<GraphQLSchema> =>
  buildSchema({
    resolvers: [
      DeveloperResolver,
      ApiKeyResolver,
      AppResolver,
      PreflightResolver,
      QueueFindingsResolver,
      VersionFindingsResolver,
      AnalyticsResolver,
      ReviewResolver,
      VersionResolver,
      RejectionReasonResolver,
      CatalogResolver,
      InstallResolver,
      RatingResolver,
      WebhookResolver,
      AuditResolver,
    ],
    validate: false,
  });

/** The schema as text, sorted, so that a change shows as a change. */
export const printSdl = (schema: GraphQLSchema) => `${printSchema(lexicographicSortSchema(schema))}\n`;
