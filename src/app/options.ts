import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import type { CatalogCache } from '../cache/catalog-cache.js';
import type { Timeouts } from '../db/timeouts.js';
import type { TakePoints } from '../limits/point-counts.js';
import type { GuardOptions } from '../net/address-guard.js';
import type { WriteBounds } from '../operations/write-queue.js';
import type { WebhookOptions } from '../worker.js';

/** The other processes of this gateway, which the primary process reaches (D254). */
export interface ClusterLink {
  takePoints: TakePoints;
  /** Returns the metrics of all processes together. */
  readMetrics(): Promise<string>;
}

/** The needs of the service beside its configuration. */
export interface AppOptions {
  databaseUrl: string;
  log: Logger;
  /** The service's address for clients. */
  publicUrl: string;
  /** Set if this is one of several processes. */
  cluster?: ClusterLink;
  /** Addresses that image checks may reach beyond the public internet. Only tests set this: there is no setting, and in development the default is the gateway itself. */
  assetChecks?: GuardOptions;
  /** Only tests set this. */
  webhooks?: WebhookOptions;
  /** The longest time by which a count in the catalog may lag. Only tests set this. */
  countsLagMs?: number;
  /** Bounds of write transactions. Only tests set this. */
  writeBounds?: Partial<WriteBounds>;
  /** The most events that wait for one reader of a subscription. Only tests set this. */
  maxPendingEvents?: number;
  /** Time-outs of the database connections that differ from the usual ones. Only tests set this. */
  databaseTimeouts?: Partial<Timeouts>;
}

/** The whole service, as a request handler for any HTTP server. */
export interface Gateway {
  readonly handler: RequestListener;
  readonly cache: CatalogCache;
  /** Returns the metrics of this process, for the sum over several. */
  metrics(): Promise<object[]>;
  /** Makes `/readyz` fail, so that load balancers send no more requests. */
  drain(): void;
  /** Ends all event streams in an orderly way, and opens no more: they would outlast every other request. */
  endStreams(): Promise<void>;
  close(): Promise<void>;
}
