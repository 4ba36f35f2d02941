import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { Caller } from '../auth/caller.js';
import { isOfPipeline, requireForPipelines, requireNotOwn, requireUnexpired } from '../auth/policy.js';
import type { Change } from '../db/change-feed.js';
import { remainingMs } from '../db/payer.js';
import { isOutcomeUnknown } from '../errors/database-errors.js';
import { type ErrorDetail, notFound, outcomeUnknown } from '../errors.js';
import { limitSubject } from '../limits/rate-limits.js';
import { currentTracer, traced } from '../tracing/tracing.js';
import type { Context, ReadRoute } from './context.js';
import type { EventStream } from './event-stream.js';
import type { Idempotency } from './idempotency.js';
import type { AnyOperation, Operation } from './operation.js';
import { parseInput, type RawInput } from './parse-input.js';
import { minTransactionMs } from './write-queue.js';

type Services = ReturnType<Context['services']>;

/** Runs an operation for the caller of a request: authorizes, validates the input, then runs. Nothing else may run one. */
export const call = <I extends z.ZodObject, C, O, P>(
  operation: Operation<I, C, O, P>,
  context: Context,
  raw: RawInput,
): Promise<O> =>
  traced(spanName(operation), () =>
    context.replays && takesKey(operation)
      ? performOnce(operation, context, raw, context.replays(operation, raw) as Idempotency<O>)
      : perform(operation, context, raw),
  );

/** Returns whether GraphQL runs an operation once for each Idempotency-Key (D425). */
export const takesKey = ({ readAgain, shownOnce, runOnce }: AnyOperation): boolean =>
  readAgain === true || shownOnce !== undefined || runOnce !== undefined;

const spanName = ({ name = 'operation' }: AnyOperation): string => name;

async function perform<I extends z.ZodObject, C, O, P>(
  operation: Operation<I, C, O, P>,
  context: Context,
  raw: RawInput,
): Promise<O> {
  const admitted = await admit(operation, context, raw);
  const { caller, services } = admitted;
  const input = withBrevity(operation, context, admitted.input);
  const prepared = await prepare(operation, admitted);
  const run = (bound: Services) => operation.run(bound, caller, input, prepared);
  if (operation.kind === 'query')
    return operation.cached
      ? context.catalog.share(operation, input, () => run(services()))
      : run(services());
  return changing(operation, context, () =>
    operation.transaction === 'shared'
      ? retried(() => run(context.sharedServices))
      : inTransaction(operation, context, admitted, (em) => run(context.services(em))),
  );
}

const withBrevity = <T extends object>({ detailFields }: AnyOperation, context: Context, input: T) =>
  detailFields && !context.selectsAny(detailFields) ? { ...input, isBrief: true } : input;

/** Starts a subscription for the caller of a request: authorizes, validates the input, then returns its events. */
export async function follow<I extends z.ZodObject, C, O>(
  operation: Operation<I, C, O, Change>,
  context: Context,
  raw: RawInput,
): Promise<AsyncGenerator<O>> {
  const { stream } = context;
  if (!stream || !operation.follows) throw new Error('a subscription needs a stream and a filter');
  const { caller, known, input, services } = await admit(operation, context, raw);
  stream.start(known, await operation.follows(services(), caller, input));
  return events(operation, context, stream, input);
}

/** Each event is authorized, charged and read like a request of its own. */
async function* events<I extends z.ZodObject, C, O>(
  operation: Operation<I, C, O, Change>,
  context: Context,
  stream: EventStream,
  input: z.output<I>,
): AsyncGenerator<O> {
  const { policy } = operation;
  for (let item = await stream.next(); item !== null; item = await stream.next()) {
    context.renew();
    const known = policy.kind === 'anyone' ? null : await context.caller();
    const caller = policy.admit(known, context.door);
    if (known) requireUnexpired(known);
    if (item.about === 'credential') continue;
    await context.chargeEvent(policy.kind === 'anyone');
    const read = () => operation.run(context.services(context.fork()), caller, input, item);
    // All readers of a public change get the same event, so it is read once.
    const run = policy.kind === 'anyone' ? () => context.catalog.share(item, input, read) : read;
    const event = await (currentTracer()?.inLinked(spanName(operation), run) ?? run());
    if (event !== null) yield event;
  }
}

/** Runs a mutation as `call` does, but once however often it is requested; a repeated request is authorized as usual. */
export const callOnce = <I extends z.ZodObject, C, O, P, A>(
  operation: Operation<I, C, O, P>,
  context: Context,
  raw: RawInput,
  store: Idempotency<A>,
): Promise<A> => traced(spanName(operation), () => performOnce(operation, context, raw, store));

async function performOnce<I extends z.ZodObject, C, O, P, A>(
  operation: Operation<I, C, O, P>,
  context: Context,
  raw: RawInput,
  store: Idempotency<A>,
): Promise<A> {
  const admitted = await admit(operation, context, raw, store.problems);
  const { caller, known, input } = admitted;
  if (operation.runOnce)
    return changing(operation, context, () =>
      store.runShared(known, (key) => operation.runOnce!(context.sharedServices, caller, input, key)),
    );
  const stored = await store.find(context.fork(), known);
  if (stored !== null) return stored;
  const prepared = await prepare(operation, admitted);
  return changing(operation, context, () =>
    inTransaction(operation, context, admitted, (em) =>
      store.runOnce(em, known, async () => {
        const services = context.services(em);
        const result = await operation.run(services, caller, input, prepared);
        // The stored response includes values that the database generates.
        await em.flush();
        const developerId = store.developerOf(known);
        // There is no quota for requests without a developer.
        if (developerId !== null) await services.quotas.requireRoomFor('idempotencyKeys', developerId);
        return result;
      }),
    ),
  );
}

/** A call that is authorized and whose input is valid. */
interface Admitted<I extends z.ZodObject, C> {
  caller: C;
  /** The authenticated caller, before the policy; null for a public operation. */
  known: Caller | null;
  input: z.output<I>;
  /** Returns the services outside any transaction, built when first needed. */
  services: () => Services;
}

async function admit<I extends z.ZodObject, C, O, P>(
  operation: Operation<I, C, O, P>,
  context: Context,
  raw: RawInput,
  others: readonly ErrorDetail[] = [],
): Promise<Admitted<I, C>> {
  const { policy, problems } = operation;
  const services = once(() => context.readServices(routeOf(operation)));
  const known = policy.kind === 'anyone' ? null : await context.caller();
  await context.charge(operation, known);
  const caller = policy.admit(known, context.door);
  requireForPipelines(operation, known);
  const check = problems && ((valid: Partial<z.output<I>>) => problems(services(), caller, valid));
  const input = parseInput(operation.input, raw, others, check);
  if (operation.limitPer) await context.chargePer(operation.limitPer, input);
  // Ownership never changes, so it can be checked outside the transaction.
  if (policy.own && 'notForOneself' in policy.own)
    requireNotOwn(policy, known, await services().ownership.accountsOf(policy.own.notForOneself, input));
  if (isOfPipeline(known)) await requireOwnApp(operation, services, known.pipeline.appId, input);
  return { caller, known, input, services };
}

/** Other apps do not exist for a key of a pipeline (D409). */
async function requireOwnApp<I extends z.ZodObject, C, O, P>(
  { pipelineApp }: Operation<I, C, O, P>,
  services: () => Services,
  own: string,
  input: z.output<I>,
): Promise<void> {
  const about = await pipelineApp?.(services(), input);
  if (about !== 'any' && about !== own) throw notFound('app');
}

const routeOf = ({ cached, replica }: AnyOperation): ReadRoute =>
  cached ? 'catalog' : replica ? 'report' : 'primary';

/** An operation without `prepare` has no prepared value: P is undefined. */
const prepare = async <I extends z.ZodObject, C, O, P>(
  operation: Operation<I, C, O, P>,
  { services, caller, input }: Admitted<I, C>,
): Promise<P> => (operation.prepare ? await operation.prepare(services(), caller, input) : undefined) as P;

function once<T>(build: () => T): () => T {
  let built: T | undefined;
  return () => {
    built ??= build();
    return built;
  };
}

const inTransaction = <T>(
  operation: AnyOperation,
  context: Context,
  { known, input }: Pick<Admitted<z.ZodObject, unknown>, 'known' | 'input'>,
  work: (em: EntityManager) => Promise<T>,
): Promise<T> =>
  context.writes.run(
    { caller: known && limitSubject(known), resources: resourcesOf(input) },
    async (hasWaited) => {
      if (hasWaited || operation.prepare) await readmit(operation, context);
      return retried(() => commitOf(context.fork(), work));
    },
  );

/** Checks the credential and the policy again: a key may have been revoked or a developer suspended meanwhile (D245). */
async function readmit({ policy }: AnyOperation, context: Context): Promise<void> {
  if (policy.kind === 'anyone') return;
  context.forgetCaller();
  policy.admit(await context.caller(), context.door);
}

/** Fields of an input that name what a mutation changes. */
const resourceFields = ['id', 'slug', 'appId'];

const resourcesOf = (input: Record<string, unknown>): string[] =>
  resourceFields.map((field) => input[field]).filter((value) => typeof value === 'string');

/** Runs a transaction. If it is unknown whether it was committed, the error says so. */
async function commitOf<T>(em: EntityManager, work: (em: EntityManager) => Promise<T>): Promise<T> {
  let isCommitting = false;
  try {
    return await em.transactional(async (inner) => {
      const result = await work(inner);
      // Only the COMMIT can fail after this.
      await inner.flush();
      isCommitting = true;
      return result;
    });
  } catch (error) {
    throw isCommitting && error instanceof Error && isOutcomeUnknown(error) ? outcomeUnknown(error) : error;
  }
}

/** Runs a mutation, then invalidates what it may have changed: the catalog, the caller and the loaded rows. */
async function changing<T>(
  { catalog }: Pick<AnyOperation, 'catalog'>,
  context: Context,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } finally {
    // Also after a failure: the commit may have succeeded although the connection was lost.
    context.catalog.changed(catalog);
    context.forgetCaller();
  }
}

const maxAttempts = 6;
/** A random pause before a retry, so that transactions that collided do not collide again. */
const maxPauseMs = 40;
/** PostgreSQL's codes for a deadlock and a serialization failure. */
const retryable = new Set(['40P01', '40001']);

/** Retries a transaction that PostgreSQL rolled back because of concurrent ones. */
async function retried<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (!retryable.has(code) || attempt === maxAttempts || remainingMs() < minTransactionMs) throw error;
      await delay(Math.random() * maxPauseMs * attempt);
    }
  }
}
