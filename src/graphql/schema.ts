import 'reflect-metadata';
import {
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { buildSchema, type ClassType, getMetadataStorage } from 'type-graphql';
import * as actions from '../modules/actions/action.resolver.js';
import * as analytics from '../modules/analytics/analytics.resolver.js';
import * as apiKeys from '../modules/api-keys/api-key.resolver.js';
import * as appReports from '../modules/app-reports/app-report.resolver.js';
import * as apps from '../modules/apps/app.resolver.js';
import * as audit from '../modules/audit/audit.resolver.js';
import * as catalog from '../modules/catalog/catalog.resolver.js';
import * as developers from '../modules/developers/developer.resolver.js';
import * as installs from '../modules/installs/install.resolver.js';
import * as keyChanges from '../modules/key-changes/key-change.resolver.js';
import * as nodes from '../modules/nodes/node.resolver.js';
import * as preflight from '../modules/preflight/preflight.resolver.js';
import * as ratings from '../modules/ratings/rating.resolver.js';
import * as review from '../modules/review/review.resolver.js';
import * as trustedPublishers from '../modules/trusted-publishers/trusted-publisher.resolver.js';
import * as versions from '../modules/versions/version.resolver.js';
import * as webhooks from '../modules/webhooks/webhook.resolver.js';
import { typeOfNode } from '../operations/node.types.js';
import { nodeIdOf } from '../operations/node-id.js';

/** The scalars of libraries, described for authors of clients. */
const scalars = {
  DateTimeISO: {
    description:
      'A time in UTC with milliseconds, such as `2026-03-02T09:30:00.000Z`. In JSON it is a string.',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  },
  JSONObject: {
    description: 'A JSON object whose fields depend on the case, such as `{ "status": "PENDING" }`.',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  },
};

/** The resolvers of all modules. Their files export nothing else. */
const [firstResolver, ...otherResolvers] = [
  ...[
    developers,
    apiKeys,
    trustedPublishers,
    keyChanges,
    apps,
    preflight,
    analytics,
    catalog,
    installs,
    ratings,
    appReports,
  ],
  ...[review, versions, webhooks, audit, nodes, actions],
].flatMap((module) => Object.values<ClassType>(module));

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
    resolvers: [firstResolver!, ...otherResolvers],
    // zod validates the inputs.
    validate: false,
    // Required by type-graphql where there are subscriptions; ours bring their own events.
    pubSub: noPubSub,
    // A test validates the schema, so that starting does not have to.
    skipCheck: true,
  });
  // The method of an operation gets its input and the context: its arguments are declared for the schema alone.
  const { queries, mutations } = getMetadataStorage();
  for (const operation of [...queries, ...mutations])
    operation.params = (operation.params ?? []).filter(({ kind }) => kind !== 'arg');
  resolveNodes(schema);
  resolveLengths(schema);
  for (const [name, about] of Object.entries(scalars)) Object.assign(schema.getType(name)!, about);
  schema.getQueryType()!.description = 'Operations that read.';
  schema.getMutationType()!.description = 'Operations that change something. Each one is a transaction.';
  schema.getSubscriptionType()!.description =
    'Operations that report changes while the client listens, at `/graphql/stream` (server-sent events).';
  return schema;
}

/** Sets the functions that are the same for all nodes. The compiler of queries needs a synchronous `resolveType`. */
function resolveNodes(schema: GraphQLSchema): void {
  const node = schema.getType('Node');
  if (!isInterfaceType(node)) throw new Error('Node is not an interface of the schema');
  node.resolveType = typeOfNode;
  for (const type of schema.getPossibleTypes(node))
    type.getFields().nodeId!.resolve = ({ id }: { id: string }) => nodeIdOf(type.name, id);
}

/** Counts a list only if its length is selected: the `totalCount` of a page may be a function. */
function resolveLengths(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    const length = isObjectType(type) && type.getFields().totalCount;
    if (length)
      length.resolve = ({ totalCount }) => (typeof totalCount === 'function' ? totalCount() : totalCount);
  }
}

const noEvents = () => {
  throw new Error('subscriptions are fed by the database');
};
const noPubSub = { publish: noEvents, subscribe: noEvents };

/** Prints the schema in a fixed order, so that a diff shows only changes. */
export const printSdl = (schema: GraphQLSchema) => `${printSchema(lexicographicSortSchema(schema))}\n`;
