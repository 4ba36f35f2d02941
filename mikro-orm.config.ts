import { Migrator } from '@mikro-orm/migrations';
import { defineConfig } from '@mikro-orm/postgresql';
import { hostUrls } from './src/config/formats.js';
import { loadConfig } from './src/config.js';
import { migrations } from './src/db/migrations/list.js';
import { ormPool } from './src/db/pool.js';
import type { Timeouts } from './src/db/timeouts.js';
import { ApiKey } from './src/modules/api-keys/api-key.entity.js';
import { AppReport } from './src/modules/app-reports/app-report.entity.js';
import { Administrator } from './src/modules/audit/administrator.entity.js';
import { Developer } from './src/modules/developers/developer.entity.js';
import { ProfileChange } from './src/modules/developers/profile-change.entity.js';
import { AuditEvent } from './src/modules/events/audit-event.entity.js';
import { App } from './src/modules/listings/app.entity.js';
import { AppVersion } from './src/modules/listings/app-version.entity.js';
import { Mail } from './src/modules/notifications/mail.entity.js';
import { AssetCheck } from './src/modules/preflight/asset-check.entity.js';
import { Rating } from './src/modules/ratings/rating.entity.js';
import { RatingReport } from './src/modules/ratings/rating-report.entity.js';
import { ReviewMessage } from './src/modules/review/review-message.entity.js';
import { Submission } from './src/modules/review/submission.entity.js';
import { TrustedPublisher } from './src/modules/trusted-publishers/trusted-publisher.entity.js';
import { WebhookAttempt } from './src/modules/webhooks/webhook-attempt.entity.js';
import { WebhookDelivery } from './src/modules/webhooks/webhook-delivery.entity.js';
import { WebhookEndpoint } from './src/modules/webhooks/webhook-endpoint.entity.js';

interface OrmPoolOptions {
  purpose?: 'writes' | 'tools';
  pooled?: boolean;
  timeouts?: Partial<Timeouts> | undefined;
}

/** MikroORM's options for the service and the tools: all entities and all migrations. */
export const ormOptions = (
  databaseUrl: string,
  poolSize = 10,
  { purpose = 'writes', pooled = false, timeouts }: OrmPoolOptions = {},
) =>
  defineConfig({
    // The connections take theirs from `driverOptions`.
    clientUrl: hostUrls(databaseUrl)[0]!,
    entities: [
      Developer,
      ProfileChange,
      ApiKey,
      App,
      AppReport,
      TrustedPublisher,
      AuditEvent,
      Administrator,
      Mail,
      Submission,
      ReviewMessage,
      Rating,
      RatingReport,
      AppVersion,
      AssetCheck,
      WebhookEndpoint,
      WebhookDelivery,
      WebhookAttempt,
    ],
    extensions: [Migrator],
    migrations: {
      migrationsList: [...migrations],
      tableName: 'schema_migrations',
      snapshot: false,
      silent: true,
      transactional: true,
      // One transaction per migration: locks are held briefly, and a migration may run outside of a transaction.
      allOrNothing: false,
    },
    pool: { min: 0, max: poolSize },
    driverOptions: ormPool({ url: databaseUrl, purpose, pooled, timeouts }),
    forceUtcTimezone: true,
    allowGlobalContext: false,
  });

/** Entry point of MikroORM's command line; a function, so that the settings are read only on use. */
export default () => ormOptions(loadConfig().databaseUrl ?? 'postgresql://127.0.0.1:5432/marketplace');
