import type { Scope } from '../../src/auth/scope.js';
import type { OperationName } from '../../src/contract.js';
import { nodeIdOf } from '../../src/operations/node-id.js';
import { type AppStatus, aListing, aRejection, unique } from '../support/actors.js';
import type { Input } from '../support/api-client.js';

/** The callers of an operation, by D8 to D13. */
export interface Row {
  /** The role that the operation is for. */
  may: 'anyone' | 'optional' | 'account' | 'developer' | 'admin';
  /** The scope that a key needs. */
  scope?: `${Scope}`;
  /** Accepts an account token over REST, too: SPEC shows it for registration and key creation. */
  accountAtRest?: true;
  /** Only a verified developer may. */
  verified?: true;
  /** Administrators may as well. */
  adminToo?: true;
  /** Takes the developer's account token, and no API key. */
  accountOnly?: true;
  /** Even a suspended developer may, signed in. */
  suspendedToo?: true;
  /** An account may, but not that of a suspended developer. */
  notSuspended?: true;
  /** Input that is right for the caller: whatever is refused is refused for the credential alone. */
  input?: (own: Belongings) => Input | Promise<Input>;
}

/** The ids that a sample of input is made of. */
export interface Belongings {
  accountUserId: string;
  app(status?: AppStatus): Promise<string>;
  version(status: 'DRAFT' | 'PENDING'): Promise<string>;
  /** A webhook endpoint, the only one: there is a limit. */
  endpoint(): Promise<string>;
  delivery(): Promise<string>;
  /** The same of the administration. */
  adminEndpoint(): Promise<string>;
  adminDelivery(): Promise<string>;
  /** Makes room for one more of what there is a limit to. */
  makeRoom(): Promise<unknown>;
  slug(): Promise<string>;
  /** An app of another developer that the caller has rated. */
  rated(): Promise<string>;
  /** The id of a rating of the developer's own app. */
  rating(): Promise<string>;
  keyId(): Promise<string>;
  revokedKeyId(): Promise<string>;
  /** The token of the mail about a change of the profile. */
  undoToken(): Promise<string>;
  /** A key that every key of these tests may rotate. */
  narrowKeyId(): Promise<string>;
  key(): Promise<string>;
  /** A trusted publisher. */
  publisher(): Promise<string>;
  /** The token of a trusted pipeline. */
  pipelineToken(): Promise<string>;
  developerId(): Promise<string>;
  /** A developer with a public app. */
  publicDeveloperId(): Promise<string>;
}

export const reason = 'It must be.';
const byId =
  (status: AppStatus, input: Input = {}) =>
  async ({ app }: Belongings) => ({ id: await app(status), ...input });
const byVersion =
  (status: 'DRAFT' | 'PENDING', input: Input = {}) =>
  async ({ version }: Belongings) => ({ id: await version(status), ...input });
const byEndpoint =
  (input: Input = {}) =>
  async ({ endpoint }: Belongings) => ({ id: await endpoint(), ...input });
const byAdminEndpoint =
  (input: Input = {}) =>
  async ({ adminEndpoint }: Belongings) => ({ id: await adminEndpoint(), ...input });
const ofDeveloper =
  (input: Input = {}) =>
  async ({ developerId }: Belongings) => ({ id: await developerId(), ...input });
const byRating =
  (input: Input = {}) =>
  async ({ rating }: Belongings) => ({ id: await rating(), ...input });
const bySlug = async ({ slug }: Belongings) => ({ slug: await slug() });
const ofRated =
  (input: Input = {}) =>
  async ({ rated }: Belongings) => ({ slug: await rated(), ...input });
const readsApps = { may: 'developer', scope: 'APP_READ' } as const;
const updatesApps = { may: 'developer', scope: 'APP_UPDATE' } as const;
const managesWebhooks = { may: 'developer', scope: 'WEBHOOK_MANAGE' } as const;

export const policyTable: Record<OperationName, Row> = {
  registerDeveloper: {
    may: 'account',
    input: ({ accountUserId }) => ({ accountUserId, name: 'Ada', email: `${unique('new')}@example.com` }),
  },
  me: { may: 'developer', suspendedToo: true },
  viewer: { may: 'optional', suspendedToo: true },
  updateMe: { may: 'developer', input: () => ({ name: 'Ada' }) },
  createApiKey: {
    may: 'developer',
    accountAtRest: true,
    verified: true,
    input: () => ({ name: 'A key', scopes: ['APP_READ'] }),
  },
  myApiKeys: { may: 'developer' },
  revokeApiKey: { may: 'developer', input: async ({ keyId }) => ({ id: await keyId() }) },
  rotateApiKey: {
    may: 'developer',
    verified: true,
    input: async ({ narrowKeyId }) => ({ id: await narrowKeyId() }),
  },
  reportLeakedKey: { may: 'anyone', input: async ({ key }) => ({ key: await key() }) },
  addTrustedPublisher: {
    may: 'developer',
    verified: true,
    accountOnly: true,
    input: async ({ app }) => ({
      appId: await app(),
      issuer: 'https://gitlab.com',
      repository: 'acme/notes',
      environment: 'live',
    }),
  },
  trustedPublishers: { may: 'developer', accountOnly: true },
  removeTrustedPublisher: {
    may: 'developer',
    accountOnly: true,
    input: async ({ publisher }) => ({ id: await publisher() }),
  },
  exchangePublisherToken: {
    may: 'anyone',
    input: async ({ pipelineToken }) => ({ token: await pipelineToken() }),
  },
  keyChanges: { may: 'developer', accountOnly: true, input: async ({ keyId }) => ({ keyId: await keyId() }) },
  undoKeyChanges: {
    may: 'developer',
    accountOnly: true,
    input: async ({ revokedKeyId }) => ({ keyId: await revokedKeyId() }),
  },
  undoProfileChange: { may: 'anyone', input: async ({ undoToken }) => ({ token: await undoToken() }) },
  auditLog: { may: 'admin' },
  adminApps: { may: 'admin' },
  adminApp: { may: 'admin', input: byId('DRAFT') },
  createApp: { may: 'developer', scope: 'APP_CREATE', input: () => aListing() },
  myApps: { ...readsApps },
  myApp: { ...readsApps, input: byId('DRAFT') },
  myAppBySlug: { ...readsApps, input: bySlug },
  updateApp: { ...updatesApps, input: byId('DRAFT', { name: 'New' }) },
  submitApp: { ...updatesApps, verified: true, input: byId('DRAFT') },
  withdrawApp: { ...updatesApps, input: byId('PENDING') },
  deleteApp: { may: 'developer', scope: 'APP_DELETE', input: byId('DRAFT') },
  appAnalytics: { may: 'developer', scope: 'ANALYTICS_READ', input: byId('DRAFT') },
  browseApps: { may: 'anyone' },
  apps: { may: 'anyone' },
  suggest: { may: 'anyone', input: () => ({ prefix: 'a' }) },
  app: { may: 'anyone', input: bySlug },
  similarApps: { may: 'anyone', input: bySlug },
  publicDeveloper: {
    may: 'anyone',
    input: async ({ publicDeveloperId }) => ({ id: await publicDeveloperId() }),
  },
  node: { may: 'anyone', input: async ({ app }) => ({ id: nodeIdOf('PublicApp', await app('APPROVED')) }) },
  nodes: {
    may: 'anyone',
    input: async ({ app, publicDeveloperId }) => ({
      ids: [
        nodeIdOf('PublicApp', await app('APPROVED')),
        nodeIdOf('PublicDeveloper', await publicDeveloperId()),
      ],
    }),
  },
  featuredApps: { may: 'anyone' },
  categories: { may: 'anyone' },
  recordInstall: { may: 'anyone', input: bySlug },
  appRatings: { may: 'anyone', input: bySlug },
  myRating: { may: 'account', input: ofRated() },
  rateApp: { may: 'account', notSuspended: true, input: ofRated({ rating: 3 }) },
  removeRating: { may: 'account', input: ofRated() },
  replyToRating: { ...updatesApps, input: byRating({ text: 'Thank you.' }) },
  hideRating: { may: 'admin', input: byRating({ reason }) },
  unhideRating: { may: 'admin', input: byRating() },
  hiddenRatings: { may: 'admin' },
  reportRating: { may: 'account', notSuspended: true, input: byRating({ reason }) },
  reportedRatings: { may: 'admin' },
  reportApp: { may: 'account', notSuspended: true, input: ofRated({ reason: 'SPAM' }) },
  appReports: { may: 'admin' },
  dismissAppReports: { may: 'admin', input: byId('APPROVED') },
  dismissRatingReports: { may: 'admin', input: byRating() },
  developers: { may: 'admin' },
  developer: { may: 'admin', input: ofDeveloper() },
  verifyDeveloper: { may: 'admin', input: ofDeveloper() },
  unverifyDeveloper: { may: 'admin', input: ofDeveloper({ reason }) },
  editDeveloper: { may: 'admin', input: ofDeveloper({ bio: 'New', reason }) },
  suspendDeveloper: { may: 'admin', input: ofDeveloper({ reason }) },
  reinstateDeveloper: { may: 'admin', input: ofDeveloper() },
  reviewQueue: { may: 'admin' },
  reviewItem: { may: 'admin', input: byId('PENDING') },
  approveApp: { may: 'admin', input: byId('PENDING', { revision: 1 }) },
  rejectApp: { may: 'admin', input: byId('PENDING', aRejection(1)) },
  suspendApp: { may: 'admin', input: byId('APPROVED', { reason }) },
  restoreApp: { may: 'admin', input: byId('SUSPENDED') },
  featureApp: { may: 'admin', input: byId('APPROVED', { featured: true }) },
  editApp: { may: 'admin', input: byId('APPROVED', { name: 'New', reason }) },
  preflight: { ...readsApps, input: byId('DRAFT') },
  preflightListing: { ...readsApps, input: () => aListing() },
  createWebhookEndpoint: {
    ...managesWebhooks,
    input: async ({ makeRoom }) => {
      await makeRoom();
      return { url: 'https://ada.example/hook' };
    },
  },
  myWebhookEndpoints: { ...readsApps },
  updateWebhookEndpoint: { ...managesWebhooks, input: byEndpoint({ description: 'New' }) },
  deleteWebhookEndpoint: { ...managesWebhooks, input: byEndpoint() },
  rotateWebhookSecret: { ...managesWebhooks, input: byEndpoint() },
  enableWebhookEndpoint: { ...managesWebhooks, input: byEndpoint() },
  testWebhookEndpoint: { ...managesWebhooks, input: byEndpoint() },
  webhookDeliveries: { ...readsApps, input: async ({ endpoint }) => ({ endpointId: await endpoint() }) },
  replayWebhookDelivery: { ...managesWebhooks, input: async ({ delivery }) => ({ id: await delivery() }) },
  events: { may: 'developer' },
  createAdminWebhook: {
    may: 'admin',
    input: async ({ makeRoom }) => {
      await makeRoom();
      return { url: 'https://desk.example/hook' };
    },
  },
  administrators: { may: 'admin' },
  adminWebhooks: { may: 'admin' },
  updateAdminWebhook: { may: 'admin', input: byAdminEndpoint({ description: 'New' }) },
  deleteAdminWebhook: { may: 'admin', input: byAdminEndpoint() },
  rotateAdminWebhookSecret: { may: 'admin', input: byAdminEndpoint() },
  enableAdminWebhook: { may: 'admin', input: byAdminEndpoint() },
  testAdminWebhook: { may: 'admin', input: byAdminEndpoint() },
  adminWebhookDeliveries: {
    may: 'admin',
    input: async ({ adminEndpoint }) => ({ endpointId: await adminEndpoint() }),
  },
  replayAdminWebhookDelivery: {
    may: 'admin',
    input: async ({ adminDelivery }) => ({ id: await adminDelivery() }),
  },
  reviewCounts: { may: 'admin' },
  appChanged: { ...readsApps, adminToo: true, input: byId('DRAFT') },
  catalogChanged: { may: 'anyone' },
  reviewQueueChanged: { may: 'admin' },
  rejectionReasons: { may: 'anyone' },
  claimReview: { may: 'admin', input: byId('PENDING') },
  claimNext: { may: 'admin' },
  decisions: { may: 'admin' },
  reviewStats: { may: 'admin' },
  releaseReview: { may: 'admin', input: byId('PENDING') },
  messageDeveloper: { may: 'admin', input: byId('PENDING', { text: 'Hello.' }) },
  messageReviewers: { ...updatesApps, input: byId('PENDING', { text: 'Hello.' }) },
  addressReason: { ...updatesApps, input: byId('REJECTED', { reason: 0 }) },
  createAppVersion: {
    may: 'developer',
    scope: 'APP_CREATE',
    input: async ({ app }) => ({ appId: await app('APPROVED'), name: 'New' }),
  },
  updateAppVersion: { ...updatesApps, input: byVersion('DRAFT', { name: 'Newer' }) },
  submitAppVersion: { ...updatesApps, verified: true, input: byVersion('DRAFT') },
  withdrawAppVersion: { ...updatesApps, input: byVersion('PENDING') },
  discardAppVersion: { may: 'developer', scope: 'APP_DELETE', input: byVersion('DRAFT') },
  rebaseAppVersion: { ...updatesApps, adminToo: true, input: byVersion('PENDING') },
  approveAppVersion: { may: 'admin', input: byVersion('PENDING', { revision: 1 }) },
  rejectAppVersion: { may: 'admin', input: byVersion('PENDING', aRejection(1)) },
};
