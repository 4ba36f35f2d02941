import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { ClassType } from 'type-graphql';
import { z } from 'zod';
import { type Policy, requireForeign } from '../auth/policy.js';
import type { CatalogEffect } from '../cache/catalog-version.js';
import type { LimitClass } from '../config.js';
import { type ErrorCode, type ErrorDetail, maxDetails, ServiceError } from '../errors.js';
import type { Services } from '../services.js';
import type { Context } from './context.js';
import type { Pagination } from './pagination.types.js';
import { outsizedLists, type Problems, problemsOf } from './problems.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Since when an operation is not to be used any more, when it goes, and what to use instead. */
export interface Deprecation {
  readonly since: Date;
  /** At least six months later. */
  readonly sunset: Date;
  /** A sentence. */
  readonly instead: string;
}

/** What the descriptions say of it. */
export const deprecationNote = ({ instead, sunset }: Deprecation) =>
  `${instead} This will be gone on ${sunset.toISOString().slice(0, 10)}.`;

/** Input as it was sent, before it is known to be what an operation takes. */
type RawInput = { readonly [field: string]: unknown };

/** What one operation is, whichever door it is reached by. */
export interface Operation<I extends z.ZodObject = z.ZodObject, C = unknown, O = unknown, P = unknown> {
  readonly kind: 'query' | 'mutation';
  /** One sentence, for the GraphQL field and the REST reference alike. */
  readonly summary: string;
  /** The REST route; without one the operation is GraphQL's alone. */
  readonly rest?: `${Method} /${string}`;
  /** The status of a success: 200 unless told. */
  readonly status?: 201 | ((result: O) => 200 | 201);
  /** The name REST gives a bare list. */
  readonly collection?: string;
  /** REST answers carry this as their ETag, and `If-Match` becomes `expectedRevisions`. */
  readonly revision?: (result: O) => number;
  /** Where the answer is a page of many: REST links the others. */
  readonly pagination?: (result: O) => Pagination;
  /** What REST does with a body's field that nobody knows: refuse it, unless SPEC leaves the body open. */
  readonly unknownFields?: 'ignore';
  /** Fields of the input that only GraphQL takes. */
  readonly graphqlFields?: readonly string[];
  /** What the answer shows once and nobody may keep: by this it is named to whoever asks again with the same Idempotency-Key. */
  readonly shownOnce?: (result: O) => string;
  /** Where it will go one day (D36): told at both doors and in both descriptions. */
  readonly deprecated?: Deprecation;
  /** A mutation whose service sees to the transaction by itself, because it shares one with other callers. */
  readonly transaction?: 'shared';
  /** What GraphQL's limit of cost counts for it beyond its fields, where that is more than for its like. */
  readonly cost?: number;
  /** Refusals beyond those that follow from the policy and the input. */
  readonly errors?: readonly ErrorCode[];
  /** The limit that it counts against, where it does not follow from who may do it and whether it changes anything. */
  readonly limit?: LimitClass;
  /** Whether answers are kept for those who ask next: nothing but the input and the catalog may decide them. */
  readonly cached?: true;
  /** What a mutation does to what the public sees: `listings` unless told. A wrong `none` would show the past. */
  readonly catalog?: CatalogEffect;
  readonly policy: Policy<C>;
  readonly input: I;
  readonly output: ClassType | readonly [ClassType];
  /** Problems that depend on who asks or on the settings: told together with those that the input's own rules find. */
  problems?(services: Services, caller: C, raw: RawInput): ErrorDetail[];
  /**
   * Work of a mutation that must not hold a transaction and its locks, such as fetching from outside: done before the
   * transaction begins. The world may have moved on by then, so `run` has to see for itself whether it still holds.
   */
  prepare?(services: Services, caller: C, input: z.output<I>): Promise<P>;
  run(services: Services, caller: C, input: z.output<I>, prepared: P): Promise<O>;
}

/** An operation of which only the table's columns matter, not its own types. */
// biome-ignore lint/suspicious/noExplicitAny: a table of operations cannot name each one's types; `call` is given them back by its caller.
export type AnyOperation = Operation<any, any, any, any>;

type Declaration<I extends z.ZodObject, C, O, P> = Omit<Operation<I, C, O, P>, 'kind'>;

/** Declares an operation that reads. */
export const query = <I extends z.ZodObject, C, O>(
  operation: Omit<Declaration<I, C, O, undefined>, 'prepare'>,
): Operation<I, C, O, undefined> => ({ ...operation, kind: 'query' });

/** Declares an operation that changes something: it runs in one transaction, of its own unless it says otherwise. */
export const mutation = <I extends z.ZodObject, C, O, P = undefined>(
  operation: Declaration<I, C, O, P>,
): Operation<I, C, O, P> => ({ ...operation, kind: 'mutation' });

/** The only way from a door to a service: who are you, may you, is the input well formed; then run. */
export async function call<I extends z.ZodObject, C, O, P>(
  operation: Operation<I, C, O, P>,
  context: Context,
  raw: RawInput,
): Promise<O> {
  const { caller, input } = await admitted(operation, context, raw, []);
  const prepared = await prepare(operation, context, caller, input);
  const runWith = (services: Services) => operation.run(services, caller, input, prepared);
  const run = (em: EntityManager) => runWith(context.services(em));
  if (operation.kind === 'query')
    return operation.cached
      ? context.catalog.share(operation, input, () => run(context.fork()))
      : run(context.fork());
  return changing(operation, context, () =>
    operation.transaction === 'shared'
      ? retried(() => runWith(context.sharedServices))
      : inTransaction(context, run),
  );
}

/** Who remembers the answers of a mutation, so that the same call asked again is not done again. */
export interface Memory<O, A> {
  /** What is wrong with the way the caller wants it remembered: told with the problems of the input. */
  readonly problems: readonly ErrorDetail[];
  /** The developer whose quota of kept answers it counts against; null: nobody's. */
  developerOf(caller: unknown): string | null;
  /** The answer of an earlier call, if there is one. */
  recall(em: EntityManager, caller: unknown): Promise<A | null>;
  /** Does it, and remembers the answer in the same transaction; or answers what was remembered meanwhile. */
  remember(em: EntityManager, caller: unknown, run: () => Promise<O>): Promise<A>;
}

/** `call` for a mutation that is done once however often it is asked for: whoever asks again is let in as ever, and gets the first answer. */
export async function callOnce<I extends z.ZodObject, C, O, P, A>(
  operation: Operation<I, C, O, P>,
  context: Context,
  raw: RawInput,
  memory: Memory<O, A>,
): Promise<A> {
  const { caller, input } = await admitted(operation, context, raw, memory.problems);
  const recalled = await memory.recall(context.fork(), caller);
  if (recalled !== null) return recalled;
  const prepared = await prepare(operation, context, caller, input);
  return changing(operation, context, () =>
    inTransaction(context, (em) =>
      memory.remember(em, caller, async () => {
        const services = context.services(em);
        const result = await operation.run(services, caller, input, prepared);
        // What the database or the ORM adds belongs to the answer.
        await em.flush();
        await services.quotas.requireRoomForKeptAnswer(memory.developerOf(caller));
        return result;
      }),
    ),
  );
}

async function admitted<I extends z.ZodObject, C, O, P>(
  operation: Operation<I, C, O, P>,
  context: Context,
  raw: RawInput,
  others: readonly ErrorDetail[],
): Promise<{ caller: C; input: z.output<I> }> {
  const { policy, problems, input } = operation;
  const known = policy.kind === 'anyone' ? null : await context.caller();
  await context.charge(operation, known);
  const caller = policy.admit(known, context.door);
  const further = problems?.(context.services(context.fork()), caller, raw) ?? [];
  const parsed = parse(input, raw, [...further, ...others]);
  if (policy.own && 'notForOneself' in policy.own) {
    // Whose something is never changes, so it need not be looked up in the transaction.
    const { ownership } = context.services(context.fork());
    requireForeign(policy, known, await ownership.accountsOf(policy.own.notForOneself, parsed));
  }
  return { caller, input: parsed };
}

/** Without `prepare` there is nothing to hand on, and P is undefined. */
const prepare = async <I extends z.ZodObject, C, O, P>(
  operation: Operation<I, C, O, P>,
  context: Context,
  caller: C,
  input: z.output<I>,
): Promise<P> => (await operation.prepare?.(context.services(context.fork()), caller, input)) as P;

const inTransaction = <T>(context: Context, work: (em: EntityManager) => Promise<T>): Promise<T> =>
  retried(() => context.fork().transactional(work));

/** Does a mutation's work; whatever comes of it, what was known before is known no longer. */
async function changing<T>(
  { catalog }: Pick<AnyOperation, 'catalog'>,
  context: Context,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } finally {
    // A failure too: a commit may have succeeded though its answer was lost.
    context.catalog.changed(catalog);
    context.forgetCaller();
  }
}

const maxAttempts = 6;
/** Those who lost to each other would meet again if they all began anew at once. */
const maxPauseMs = 40;
/** PostgreSQL's codes for a deadlock and for a transaction that cannot be put in order with others. */
const lostToOthers = new Set(['40P01', '40001']);

/** Whoever loses to another transaction through no fault of their own has changed nothing yet, and tries again. */
async function retried<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (!lostToOthers.has(code) || attempt === maxAttempts) throw error;
      await delay(Math.random() * maxPauseMs * attempt);
    }
  }
}

/** Input as its zod object wants it, or its problems, as many as are listed. */
export function parse<I extends z.ZodObject>(
  schema: I,
  raw: RawInput,
  further: readonly ErrorDetail[] = [],
): z.output<I> {
  const { data, problems } = checked(schema, raw);
  // Who knows the caller knows the narrower bound: one row says it.
  const isToldBetter = ({ field, code }: ErrorDetail) =>
    further.some((other) => other.field === field && other.code === code);
  const own = problems.listed.filter((problem) => !isToldBetter(problem));
  const total = problems.total - (problems.listed.length - own.length) + further.length;
  if (total > 0)
    throw new ServiceError(
      'VALIDATION_FAILED',
      'The input is not valid: see details.',
      // Those of the caller are few, and would be lost behind many others.
      [...own.slice(0, maxDetails - further.length), ...further],
      { total },
    );
  return data as z.output<I>;
}

/** Lists that are far too long are refused before anything else looks at them. */
function checked(schema: z.ZodObject, raw: RawInput): { data: unknown; problems: Problems } {
  const outsized = outsizedLists(schema, raw);
  const blanks = Object.fromEntries([...outsized.keys()].map((field) => [field, undefined]));
  const readable = outsized.size === 0 ? raw : { ...raw, ...blanks };
  const { data, error } = strict(schema).safeParse(readable, { reportInput: true });
  if (!error) return { data, problems: { listed: [...outsized.values()], total: outsized.size } };
  const { listed, total } = problemsOf(error, ({ path }) => !outsized.has(String(path[0])));
  return { data, problems: { listed: [...outsized.values(), ...listed], total: outsized.size + total } };
}

const strictForms = new WeakMap<z.ZodObject, z.ZodObject>();

/** A misspelt field is never silently dropped. */
function strict(schema: z.ZodObject): z.ZodObject {
  const known = strictForms.get(schema) ?? z.strictObject(schema.shape);
  strictForms.set(schema, known);
  return known;
}
