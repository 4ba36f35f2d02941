import { account, admin, anyone, developer, developerOrAdmin, type Policy } from '../../auth/policy.js';
import { Scope } from '../../auth/scope.js';
import { Node } from '../../operations/node.types.js';
import { type Operation, query } from '../../operations/operation.js';
import { NodeIds } from './node.input.js';
import type { NodeRow, NodeTable } from './node.queries.js';

/** Reads objects of one type for those whom the policy admits. It is an operation, but not a field of its own. */
export interface LookUp {
  readonly type: string;
  readonly operation: RowsOperation<unknown>;
}

type RowsOperation<C> = Operation<typeof NodeIds, C, readonly NodeRow[], undefined>;

/** Declares a look-up with the policy of the operation that otherwise reads such an object. */
const lookUp = <C>(type: string, policy: Policy<C>, run: RowsOperation<C>['run']): LookUp => ({
  type,
  operation: query({
    summary: `Looks up objects of the type ${type}.`,
    policy,
    input: NodeIds,
    output: Node,
    run,
  }),
});

const ownAllowed = 'It only reads.';
const appReader = developerOrAdmin(Scope.APP_READ, { ownAllowed });
const profileReader = developerOrAdmin(null, { ownAllowed }, { allowsSuspended: true });
const administrator = admin({ ownAllowed });
const anyDeveloper = developer(null);
const endpointReader = developer(Scope.APP_READ);

const all: readonly LookUp[] = [
  lookUp('App', appReader, ({ nodes }, caller, { ids }) => nodes.apps(caller, ids)),
  lookUp('PublicApp', anyone, ({ nodes }, _caller, { ids }) => nodes.publicApps(ids)),
  // As `Rating.app` shows it to them.
  lookUp('PublicApp', appReader, ({ nodes }, caller, { ids }) => nodes.hiddenApps(caller, ids)),
  lookUp('AppVersion', appReader, ({ nodes }, caller, { ids }) => nodes.versions(caller, ids)),
  lookUp('ReviewMessage', appReader, ({ nodes }, caller, { ids }) => nodes.messages(caller, ids)),
  lookUp('Submission', appReader, ({ nodes }, caller, { ids }) => nodes.submissions(caller, ids)),
  lookUp('TimelineEntry', appReader, ({ nodes }, caller, { ids }) => nodes.timelineEntries(caller, ids)),
  lookUp('Developer', profileReader, ({ nodes }, caller, { ids }) => nodes.developers(caller, ids)),
  lookUp('PublicDeveloper', anyone, ({ publicDevelopers }, _caller, { ids }) => publicDevelopers.find(ids)),
  lookUp('Rating', anyone, ({ nodes }, _caller, { ids }) => nodes.publicRatings(ids)),
  lookUp('Rating', account, ({ nodes }, caller, { ids }) => nodes.ratings(caller, ids)),
  lookUp('ApiKey', anyDeveloper, ({ nodes }, caller, { ids }) => nodes.apiKeys(caller, ids)),
  lookUp('WebhookEndpoint', endpointReader, ({ nodes }, caller, { ids }) => nodes.endpoints(caller, ids)),
  lookUp('WebhookDelivery', endpointReader, ({ nodes }, caller, { ids }) => nodes.deliveries(caller, ids)),
  lookUp('WebhookAttempt', endpointReader, ({ nodes }, caller, { ids }) => nodes.attempts(caller, ids)),
  lookUp('Event', anyDeveloper, ({ nodes }, caller, { ids }) => nodes.events(caller, ids)),
  lookUp('AuditEvent', administrator, ({ auditLog }, _caller, { ids }) => auditLog.find(ids)),
  lookUp('ReviewQueueItem', administrator, ({ queue }, _caller, { ids }) => queue.find(ids)),
];

/** The look-ups of each type, in the order in which they are tried. */
export const lookUps: ReadonlyMap<string, readonly LookUp[]> = Map.groupBy(all, ({ type }) => type);

/** The types of the rows of each table, the one with most fields first. */
export const typesOfTable: Readonly<Record<NodeTable, readonly string[]>> = {
  apps: ['App', 'PublicApp'],
  app_versions: ['AppVersion'],
  review_messages: ['ReviewMessage'],
  developers: ['Developer', 'PublicDeveloper'],
  ratings: ['Rating'],
  api_keys: ['ApiKey'],
  webhook_endpoints: ['WebhookEndpoint'],
  webhook_deliveries: ['WebhookDelivery'],
  webhook_attempts: ['WebhookAttempt'],
  audit_events: ['AuditEvent', 'Event', 'TimelineEntry'],
  submissions: ['ReviewQueueItem', 'Submission'],
};

/** Finds the tables that contain these ids. It is only used to choose the look-ups, so it needs no permission. */
export const tablesOfIds = query({
  summary: 'Finds the types of objects by their ids.',
  policy: anyone,
  input: NodeIds,
  output: Node,
  run: ({ nodes }, _caller, { ids }) => nodes.tablesOf(ids),
});
