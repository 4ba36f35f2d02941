import type { ApolloServerPlugin } from '@apollo/server';
import { type DocumentNode, GraphQLError, type OperationDefinitionNode } from 'graphql';
import Negotiator from 'negotiator';
import { contract, operations } from '../contract.js';
import { errorStatus, ServiceError } from '../errors.js';
import { takesKey } from '../operations/call.js';
import type { Context } from '../operations/context.js';
import { currentRequest, type RequestContext } from '../server/request-context.js';
import { describeSpan } from '../tracing/tracing.js';
import { costOf, type OperationToRun } from './cost.js';
import type { ChargeParsing } from './document-gate.js';
import { exceeded, limits, refusal } from './limits.js';
import { fieldNames, type RootField, rootFields } from './root-fields.js';
import { statementCostOf } from './statement-cost.js';
import { variablesProblem } from './variables.js';

export interface AdmissionOptions {
  hidesSchema: boolean;
  chargeParsing: ChargeParsing;
}

/**
 * Runs between validation and execution: names the operation for the log, checks the variables, computes the cost and
 * charges the caller. After execution it decides whether the response is public and may be cached.
 */
export const admission = (options: AdmissionOptions): ApolloServerPlugin<Context> => ({
  async requestDidStart() {
    return {
      async didResolveOperation({ schema, document, operation, request, contextValue }) {
        if (!operation) return;
        const variables = request.variables ?? {};
        try {
          if (operation.operation === 'subscription') throw streamsOnly();
          rejectUnacceptable(request.http?.headers.get('accept'));
          await admitOperation({ schema, document, operation, variables }, contextValue, options);
        } catch (error) {
          throw asRefusal(error);
        }
      },
      async willSendResponse({ operation, document, response, contextValue }) {
        const isSuccess = response.body.kind === 'single' && !response.body.singleResult.errors?.length;
        if (isSuccess && operation && document) decideCaching(document, operation, contextValue);
      },
    };
  },
});

/** Apollo responds with 406 only after execution, when a mutation would have taken effect; to a refusal, too. */
function rejectUnacceptable(accept: string | undefined): void {
  if (accept !== undefined && !new Negotiator({ headers: { accept } }).mediaType(mediaTypes))
    throw new ServiceError('VALIDATION_FAILED', `The header Accept must allow ${mediaTypes.join(' or ')}.`);
}
const mediaTypes = ['application/json', 'application/graphql-response+json'];

/** Decides whether the successful response to an operation is public and may be cached. */
function decideCaching(document: DocumentNode, operation: OperationDefinitionNode, context: Context): void {
  // A field that looks up the caller, however deep, may return something else to others.
  if (context.wasCallerAsked || operation.operation !== 'query') return;
  const fields = rootFields(document, operation);
  context.caching.isPublic = fields.every(isPublic);
  context.caching.isAllowed = fields.every(({ name }) => cacheable.has(name));
}

/** Names the operation for the log, checks the variables, and charges the cost. */
export async function admitOperation(
  admitted: OperationToRun,
  context: Context,
  { hidesSchema, chargeParsing }: AdmissionOptions,
): Promise<void> {
  const { document, operation } = admitted;
  const fields = rootFields(document, operation);
  nameRequest(currentRequest(), [...new Set(fields.map(({ name }) => name))]);
  context.selectedNames = fieldNames(document);
  const { operation: type, name } = operation;
  describeSpan(type, {
    'graphql.operation.type': type,
    ...(name && { 'graphql.operation.name': name.value.slice(0, maxNameLength) }),
  });
  const problem = variablesProblem({ ...admitted, hidesSchema });
  if (problem) throw problem;
  if (context.replays && fields.some(({ name }) => keyed.has(name))) {
    if (fields.filter(({ name }) => isOperation(name)).length > 1) throw oneMutationOnly();
  }
  const preflights = fields.filter(({ name }) => onceOnly.has(name)).length;
  if (preflights > limits.preflights) throw exceeded('preflights', preflights);
  const statements = statementCostOf(document, operation, admitted.variables);
  if (statements.searches > limits.searches) throw exceeded('searches', statements.searches);
  const cost = costOf(admitted) + statements.cost;
  if (cost <= limits.cost) return context.chargeCost(cost, fields.every(isPublic));
  // Computing the cost took time, so the address is charged; the caller is not looked up for it.
  await chargeParsing(limits.cost);
  throw exceeded('cost', cost);
}

const streamsOnly = () =>
  new ServiceError(
    'VALIDATION_FAILED',
    'Subscriptions are served at /graphql/stream, as server-sent events.',
  );

const oneMutationOnly = () =>
  new ServiceError(
    'VALIDATION_FAILED',
    'With an Idempotency-Key a document has one mutation. Send the others in requests of their own.',
  );

const maxNameLength = 100;
const maxFieldsNamed = 5;

function nameRequest(context: RequestContext, fields: readonly string[]): void {
  const [first = ''] = fields;
  if (fields.length === 1) context.operation = isOperation(first) ? first : 'introspection';
  else {
    context.operation = 'several';
    context.fields = listed(fields);
  }
}

const listed = (fields: readonly string[]) =>
  fields.length > maxFieldsNamed ? `${fields.slice(0, maxFieldsNamed).join(',')},…` : fields.join(',');

const isOperation = (field: string): field is keyof typeof contract => Object.hasOwn(contract, field);

/** A root field that is no operation of ours is the schema's own, such as `__typename`. */
const isPublic = ({ name }: RootField) => !isOperation(name) || contract[name].policy.kind === 'anyone';

const onceOnly: ReadonlySet<string> = new Set(
  operations.filter(([, { oncePerDocument }]) => oncePerDocument).map(([name]) => name),
);

const keyed: ReadonlySet<string> = new Set(
  operations.filter(([, operation]) => takesKey(operation)).map(([name]) => name),
);

const cacheable: ReadonlySet<string> = new Set([
  '__typename',
  ...operations.filter(([, operation]) => operation.cached).map(([name]) => name),
]);

function asRefusal(error: unknown): unknown {
  if (error instanceof ServiceError) return refusal(error);
  if (!(error instanceof GraphQLError)) return error;
  // An argument whose variable is wrong, such as null where a value is required.
  return new GraphQLError(error.message, {
    ...(error.nodes && { nodes: error.nodes }),
    extensions: { http: { status: errorStatus.VALIDATION_FAILED } },
  });
}
