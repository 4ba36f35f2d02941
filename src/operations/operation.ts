import type { ClassType } from 'type-graphql';
import type { z } from 'zod';
import type { Policy } from '../auth/policy.js';
import type { CatalogEffect } from '../cache/catalog-version.js';
import type { LimitClass } from '../config/formats.js';
import type { Change } from '../db/change-feed.js';
import type { ErrorCode, ErrorDetail } from '../errors.js';
import type { Services } from '../services.js';
import type { Brevity } from './columns.js';
import type { ChangeFilter } from './event-stream.js';
import type { ReplayKey, ResultOrStored } from './idempotency.js';
import type { Pagination } from './pagination.types.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The retirement of an operation: announced in response headers and in both API descriptions (D36). */
export interface Deprecation {
  readonly since: Date;
  /** The date of removal, at least six months after `since`. */
  readonly sunset: Date;
  /** A sentence that names the replacement. */
  readonly instead: string;
}

/** The sentence about a deprecation in the GraphQL schema and the OpenAPI document. */
export const deprecationNote = ({ instead, sunset }: Deprecation) =>
  `${instead} This will be gone on ${sunset.toISOString().slice(0, 10)}.`;

/** Fields of an input that GraphQL takes together, as one argument of an input type. */
export interface ArgumentGroup {
  readonly argument: 'input' | 'filter';
  /** Name of the input type. */
  readonly type: string;
  /** Describes the argument and the input type. */
  readonly description: string;
  readonly fields: z.ZodObject;
  readonly optional?: true;
}

/** Takes fields of an input together, as the argument `input` of GraphQL. */
export const inInput = (type: string, description: string, fields: z.ZodObject): ArgumentGroup => ({
  argument: 'input',
  type,
  description,
  fields,
});

/** Declares one operation, for REST and GraphQL alike. */
export interface Operation<I extends z.ZodObject = z.ZodObject, C = unknown, O = unknown, P = unknown> {
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** Its name in the contract, which sets it. */
  readonly name?: string;
  /** One sentence: the description of the GraphQL field and the summary in the OpenAPI document. */
  readonly summary: string;
  /** The REST route; an operation without one exists in GraphQL only. */
  readonly rest?: `${Method} /${string}`;
  /** HTTP status of a success; 200 by default. */
  readonly status?: 201 | ((result: O) => 200 | 201);
  /**
   * GraphQL's field is nullable, for a look-up of one thing: an error makes this field null and leaves the rest of the
   * document as it is (D140). `items`: the same for each item of its list. REST is not affected.
   */
  readonly nullable?: true | 'items';
  /** Name of the property that holds the list in a REST response. */
  readonly collection?: string;
  /** Revision of the result: REST sends it as the ETag. */
  readonly revision?: (result: O) => number;
  /** Position of a page in its list: REST links to the other pages. */
  readonly pagination?: (result: O) => Pagination;
  /** REST rejects unknown fields of a body by default; SPEC leaves some bodies open. */
  readonly unknownFields?: 'ignore';
  /** Fields of the input that GraphQL takes and REST does not. */
  readonly graphqlFields?: readonly string[];
  /** Fields of the input that GraphQL takes as one argument; every other field is an argument of its own. */
  readonly grouped?: ArgumentGroup;
  /** Names a secret in the result that is shown once and never stored, for a repeated request with the same Idempotency-Key. */
  readonly shownOnce?: (result: O) => string;
  /**
   * For GraphQL: the result is an entity that the caller may always read, so a repeated request with the same
   * Idempotency-Key reads it again by its id (D425). Without this, `shownOnce` and `runOnce` GraphQL ignores the key.
   */
  readonly readAgain?: true;
  readonly deprecated?: Deprecation;
  /** `shared`: the service manages the transaction, because it shares one among several callers. */
  readonly transaction?: 'shared';
  /** GraphQL cost in addition to that of the selected fields, where it differs from the default of its kind. */
  readonly cost?: number;
  /** A GraphQL document may select the operation only once, because it burdens other servers. */
  readonly oncePerDocument?: true;
  /** Returns whether an input, not validated yet, makes the operation a search of the catalog: a document has few of them. */
  readonly isSearch?: (input: Readonly<Record<string, unknown>>) => boolean;
  /** GraphQL cost of its statements, in addition to that of the objects, where they take longer than those of a list. */
  readonly statementCost?: number;
  /** Error codes beyond those that follow from the policy and the input. */
  readonly errors?: readonly ErrorCode[];
  /** Rate limit that a call counts against, where it does not follow from the policy and the kind. */
  readonly limit?: LimitClass;
  /** Further rate limit of the client's address, counted separately for each value of a field of the input. */
  readonly limitPer?: { readonly limit: LimitClass; readonly field: string };
  /**
   * Fields of the listed objects that take long to read. A GraphQL document that selects none of these names gets
   * `isBrief` in the input of `run`, which may then leave them out.
   */
  readonly detailFields?: readonly string[];
  /** Responses may be cached: they depend on nothing but the input and the catalog. */
  readonly cached?: true;
  /**
   * The query may read a replica that has everything which was committed before the request. `cached` ones may do so
   * without this: their replica has everything that belongs to the version of the catalog.
   */
  readonly replica?: true;
  /** Effect of a mutation on the public catalog; `listings` by default. A wrong `none` would leave stale responses in the cache. */
  readonly catalog?: CatalogEffect;
  readonly policy: Policy<C>;
  readonly input: I;
  readonly output: ClassType | readonly [ClassType];
  /**
   * Returns problems that depend on the caller or the configuration, which are reported together with those of the
   * schema. Gets the fields that are valid by the schema.
   */
  problems?(services: Services, caller: C, valid: Partial<z.output<I>>): ErrorDetail[];
  /**
   * Does the work of a mutation that must not hold a transaction and its locks, such as fetching a URL. It runs before
   * the transaction, so `run` must check that its result still applies.
   */
  prepare?(services: Services, caller: C, input: z.output<I>): Promise<P>;
  /**
   * For a subscription: checks that the caller may see the thing, and returns a function that selects the changes of it.
   * `run` then makes the event for each change; `null` for none.
   */
  follows?(services: Services, caller: C, input: z.output<I>): Promise<ChangeFilter>;
  /**
   * Admits keys of pipelines, which work for one app only (D409): returns the id of the app that an input is about, or
   * `any` if the service itself shows nothing but that app. Without it such keys are rejected.
   */
  pipelineApp?(services: Services, input: z.output<I>): Promise<string | null> | 'any';
  run(services: Services, caller: C, input: z.output<I> & Brevity, prepared: P): Promise<O>;
  /**
   * For `transaction: 'shared'`: runs a request with an Idempotency-Key, and stores the response in the same transaction;
   * returns the stored response if there is one.
   */
  runOnce?(services: Services, caller: C, input: z.output<I>, key: ReplayKey): Promise<ResultOrStored<O>>;
}

/** An operation of any input, caller and result. */
// biome-ignore lint/suspicious/noExplicitAny: a table of operations cannot name each one's types; `call` gets them back from its caller.
export type AnyOperation = Operation<any, any, any, any>;

type Declaration<I extends z.ZodObject, C, O, P> = Omit<Operation<I, C, O, P>, 'kind' | 'name'>;

/** Declares an operation that only reads. */
export const query = <I extends z.ZodObject, C, O>(
  operation: Omit<Declaration<I, C, O, undefined>, 'prepare'>,
): Operation<I, C, O, undefined> => ({ ...operation, kind: 'query' });

/** Declares an operation that changes data. It runs in one transaction. */
export const mutation = <I extends z.ZodObject, C, O, P = undefined>(
  operation: Declaration<I, C, O, P>,
): Operation<I, C, O, P> => ({ ...operation, kind: 'mutation' });

/** Declares an operation that reports changes for as long as the client listens, at `/graphql/stream`. */
export const subscription = <I extends z.ZodObject, C, O>(
  operation: Omit<Declaration<I, C, O, Change>, 'rest' | 'prepare' | 'follows'> &
    Required<Pick<Operation<I, C, O, Change>, 'follows'>>,
): Operation<I, C, O, Change> => ({ ...operation, kind: 'subscription' });
