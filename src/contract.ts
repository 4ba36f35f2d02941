import * as analytics from './modules/analytics/analytics.contract.js';
import * as apiKeys from './modules/api-keys/api-key.contract.js';
import * as appReports from './modules/app-reports/app-report.contract.js';
import * as apps from './modules/apps/app.contract.js';
import * as audit from './modules/audit/audit.contract.js';
import * as catalog from './modules/catalog/catalog.contract.js';
import * as developers from './modules/developers/developer.contract.js';
import * as installs from './modules/installs/install.contract.js';
import * as keyChanges from './modules/key-changes/key-change.contract.js';
import * as nodes from './modules/nodes/node.contract.js';
import * as preflight from './modules/preflight/preflight.contract.js';
import * as ratings from './modules/ratings/rating.contract.js';
import * as review from './modules/review/review.contract.js';
import * as trustedPublishers from './modules/trusted-publishers/trusted-publisher.contract.js';
import * as versions from './modules/versions/version.contract.js';
import * as webhooks from './modules/webhooks/webhook.contract.js';
import type { AnyOperation } from './operations/operation.js';

/** All operations of the API. The REST router, the OpenAPI document and the list of routes are derived from it. */
export const contract = {
  ...developers,
  ...apiKeys,
  ...trustedPublishers,
  ...keyChanges,
  ...apps,
  ...preflight,
  ...analytics,
  ...catalog,
  ...installs,
  ...ratings,
  ...appReports,
  ...review,
  ...versions,
  ...webhooks,
  ...audit,
  ...nodes,
};

export type OperationName = keyof typeof contract;

export type OperationTable = readonly (readonly [OperationName, AnyOperation])[];

/** The operations with their names, in the order of the contract. */
export const operations: OperationTable = Object.entries(contract).map(([name, operation]) => [
  name as OperationName,
  Object.assign(operation, { name }),
]);
