import type { Logger } from 'pino';
import type { Timeouts } from './db/pool.js';
import type { GuardOptions } from './net/address-guard.js';
import type { WriteBounds } from './operations/write-queue.js';
import type { WebhookOptions } from './worker.js';

/** What the service needs beside its configuration. */
export interface AppOptions {
  databaseUrl: string;
  log: Logger;
  /** The service's address for clients. */
  publicUrl: string;
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
  /** Handles cached responses and installs before Express. Only the test that compares both paths sets it to false. */
  fastPath?: boolean;
}
