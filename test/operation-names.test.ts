import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { GraphQLSchema } from 'graphql';
import { operations } from '../src/contract.js';
import { buildGraphQLSchema } from '../src/graphql/schema.js';

/** The signature of every root field of the GraphQL schema. */
const graphqlFields = [
  'registerDeveloper(input: RegisterDeveloperInput!): Developer!',
  'keyChanges(keyId: ID!): KeyChanges',
  'undoKeyChanges(keyId: ID!): KeyChanges!',
  'undoProfileChange(token: String!): UndoneProfileChange!',
  'me: Developer',
  'viewer: Viewer',
  'updateMe(input: UpdateMeInput!): Developer!',
  'createApiKey(input: CreateApiKeyInput!): IssuedApiKey!',
  'myApiKeys: [ApiKey!]!',
  'revokeApiKey(descendants: Boolean, id: ID!): ApiKey!',
  'rotateApiKey(graceHours: Int, id: ID!): IssuedApiKey!',
  'reportLeakedKey(key: String!): LeakReport!',
  'addTrustedPublisher(appId: ID!, input: AddTrustedPublisherInput!): TrustedPublisher!',
  'trustedPublishers(appId: ID): [TrustedPublisher!]!',
  'removeTrustedPublisher(id: ID!): TrustedPublisher!',
  'exchangePublisherToken(slug: String, token: String!): IssuedApiKey!',
  'auditLog(after: String, filter: AuditLogFilter, first: Int): AuditEventConnection!',
  'createApp(input: CreateAppInput!): App!',
  'myApps: [App!]!',
  'myApp(id: ID!): App',
  'myAppBySlug(slug: String!): App',
  'updateApp(id: ID!, input: UpdateAppInput!, revision: Int): App!',
  'deleteApp(id: ID!, revision: Int): DeletedApp!',
  'submitApp(id: ID!, revision: Int): App!',
  'appAnalytics(id: ID!): AppAnalytics',
  'browseApps(filter: AppFilter, limit: Int, page: Int, sort: AppSort): AppPage!',
  'apps(after: String, filter: AppFilter, first: Int, sort: AppSort): AppConnection!',
  'suggest(first: Int, prefix: String!): [AppSuggestion!]!',
  'app(slug: String!): PublicApp',
  'similarApps(first: Int, slug: String!): [PublicApp!]!',
  'publicDeveloper(id: ID!): PublicDeveloper',
  'node(id: ID!): Node',
  'nodes(ids: [ID!]!): [Node]!',
  'recordInstall(input: RecordInstallInput, slug: String!): InstallReceipt!',
  'featuredApps(environment: Environment, limit: Int): [PublicApp!]!',
  'categories: [CategoryCount!]!',
  'appRatings(after: String, first: Int, slug: String!): RatingConnection!',
  'myRating(slug: String!): Rating',
  'rateApp(input: RateAppInput!, slug: String!): Rating!',
  'removeRating(slug: String!): Rating!',
  'replyToRating(id: ID!, text: String): Rating!',
  'hideRating(id: ID!, reason: String!): Rating!',
  'unhideRating(id: ID!): Rating!',
  'reportRating(id: ID!, reason: String!): RatingReport!',
  'reportApp(reason: AppReportReason!, slug: String!, text: String): AppReport!',
  'appReports(after: String, first: Int): AppReportConnection!',
  'dismissAppReports(id: ID!): App!',
  'reportedRatings(after: String, first: Int): RatingConnection!',
  'dismissRatingReports(id: ID!): Rating!',
  'hiddenRatings(after: String, first: Int): RatingConnection!',
  'withdrawApp(id: ID!): App!',
  'adminApps(after: String, filter: AdminAppFilter, first: Int, sort: AdminAppSort): DeveloperAppConnection!',
  'adminApp(id: ID!): App',
  'developers(after: String, first: Int, search: String, sort: DeveloperSort, status: DeveloperStatus): DeveloperConnection!',
  'developer(id: ID!): Developer',
  'verifyDeveloper(id: ID!, updatedAt: String): Developer!',
  'unverifyDeveloper(id: ID!, reason: String!): Developer!',
  'suspendDeveloper(id: ID!, reason: String!): Developer!',
  'reinstateDeveloper(id: ID!): Developer!',
  'reviewQueue(after: String, filter: ReviewQueueFilter, first: Int): ReviewQueueConnection!',
  'preflight(id: ID!): Preflight',
  'preflightListing(input: PreflightListingInput!): Preflight',
  'events(after: String, first: Int): EventConnection!',
  'myWebhookEndpoints: [WebhookEndpoint!]!',
  'webhookDeliveries(after: String, endpointId: ID!, first: Int): WebhookDeliveryConnection!',
  'createWebhookEndpoint(input: CreateWebhookEndpointInput!): IssuedWebhookEndpoint!',
  'deleteWebhookEndpoint(id: ID!): DeletedWebhookEndpoint!',
  'enableWebhookEndpoint(id: ID!): WebhookEndpoint!',
  'replayWebhookDelivery(id: ID!): WebhookDelivery!',
  'rotateWebhookSecret(id: ID!): IssuedWebhookEndpoint!',
  'testWebhookEndpoint(id: ID!): WebhookDelivery!',
  'updateWebhookEndpoint(id: ID!, input: UpdateWebhookEndpointInput!): WebhookEndpoint!',
  'administrators: [Administrator!]!',
  'adminWebhooks: [WebhookEndpoint!]!',
  'adminWebhookDeliveries(after: String, endpointId: ID!, first: Int): WebhookDeliveryConnection!',
  'createAdminWebhook(input: CreateAdminWebhookInput!): IssuedWebhookEndpoint!',
  'deleteAdminWebhook(id: ID!): DeletedWebhookEndpoint!',
  'enableAdminWebhook(id: ID!): WebhookEndpoint!',
  'replayAdminWebhookDelivery(id: ID!): WebhookDelivery!',
  'rotateAdminWebhookSecret(id: ID!): IssuedWebhookEndpoint!',
  'testAdminWebhook(id: ID!): WebhookDelivery!',
  'updateAdminWebhook(id: ID!, input: UpdateAdminWebhookInput!): WebhookEndpoint!',
  'reviewItem(id: ID!): ReviewQueueItem',
  'reviewCounts: ReviewCounts!',
  'decisions(after: String, filter: DecisionFilter, first: Int): SubmissionConnection!',
  'reviewStats(days: Int): ReviewStats!',
  'rejectionReasons: [RejectionCatalogueEntry!]!',
  'claimReview(id: ID!, takeOver: Boolean): ReviewQueueItem!',
  'claimNext(filter: ReviewQueueFilter): ReviewQueueItem',
  'releaseReview(id: ID!): ReviewQueueItem!',
  'messageDeveloper(id: ID!, text: String!): ReviewMessage!',
  'messageReviewers(id: ID!, text: String!): ReviewMessage!',
  'addressReason(addressed: Boolean, id: ID!, reason: Int!): App!',
  'createAppVersion(appId: ID!, input: CreateAppVersionInput!, revision: Int): AppVersion!',
  'updateAppVersion(id: ID!, input: UpdateAppVersionInput!, revision: Int): AppVersion!',
  'submitAppVersion(id: ID!, revision: Int): AppVersion!',
  'withdrawAppVersion(id: ID!): AppVersion!',
  'discardAppVersion(id: ID!): AppVersion!',
  'approveAppVersion(acknowledge: [FindingCode!], id: ID!, note: String, reason: String, revision: Int!): AppVersion!',
  'rejectAppVersion(id: ID!, input: RejectAppVersionInput!): AppVersion!',
  'rebaseAppVersion(id: ID!): AppVersion!',
  'approveApp(acknowledge: [FindingCode!], id: ID!, note: String, reason: String, revision: Int!): App!',
  'rejectApp(id: ID!, input: RejectAppInput!): App!',
  'suspendApp(id: ID!, reason: String!): App!',
  'restoreApp(id: ID!): App!',
  'featureApp(featured: Boolean!, id: ID!): App!',
  'editApp(id: ID!, input: EditAppInput!): App!',
  'editDeveloper(id: ID!, input: EditDeveloperInput!, reason: String!): Developer!',
  'appChanged(id: ID!): AppChange!',
  'catalogChanged(slug: String): CatalogChange!',
  'reviewQueueChanged: ReviewQueueChange!',
];

describe('an operation has one name', () => {
  let schema: GraphQLSchema;
  beforeAll(async () => {
    schema = await buildGraphQLSchema();
  });
  const rootFields = () =>
    [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap((type) =>
      Object.values(type?.getFields() ?? {}),
    );

  it('the root fields of GraphQL are the operations of the contract', () => {
    expect(
      rootFields()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(operations.map(([name]) => name).toSorted());
  });

  it('each root field has the expected arguments and type', () => {
    const signature = ({ name, args, type }: ReturnType<typeof rootFields>[number]) => {
      const taken = args.map((argument) => `${argument.name}: ${argument.type}`).toSorted();
      return `${name}${taken.length > 0 ? `(${taken.join(', ')})` : ''}: ${type}`;
    };
    expect(rootFields().map(signature).toSorted()).toEqual(graphqlFields.toSorted());
  });

  it('an argument that groups fields has fields of the input, with the same rules', () => {
    const fields = operations.flatMap(([name, { input, grouped }]) =>
      Object.entries(grouped?.fields.shape ?? {}).map(([field, rule]) => ({
        field: `${name}.${field}`,
        isSame: input.shape[field] === rule,
      })),
    );
    expect(fields.length).toBeGreaterThan(50);
    expect(fields.filter(({ isSame }) => !isSame)).toEqual([]);
  });

  it('a query of the contract is a GraphQL query, a mutation is a mutation, a subscription is a subscription', () => {
    const roots = {
      query: schema.getQueryType(),
      mutation: schema.getMutationType(),
      subscription: schema.getSubscriptionType(),
    };
    for (const [name, { kind }] of operations)
      expect(Object.keys(roots[kind]?.getFields() ?? {})).toContain(name);
  });

  it('each operation has a test file of its name', () => {
    const files = readdirSync('test/modules', { recursive: true, encoding: 'utf8' });
    const tested = files.map((file) => file.replace(/^.*\//, ''));
    expect(operations.map(([name]) => `${name}.test.ts`).filter((file) => !tested.includes(file))).toEqual(
      [],
    );
  });
});
