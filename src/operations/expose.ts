import type { ComplexityEstimator } from 'graphql-query-complexity';
import {
  Arg,
  Args,
  type ClassType,
  Ctx,
  createParameterDecorator,
  Int,
  Mutation,
  Query,
  Subscription,
} from 'type-graphql';
import type { z } from 'zod';
import { call, follow } from './call.js';
import type { Context } from './context.js';
import { argumentsType, graphqlTypeOf, inputType } from './input-type.js';
import { type AnyOperation, deprecationNote } from './operation.js';
import { TwoWayPage } from './paging.js';
import { parseInput, type RawInput } from './parse-input.js';

/**
 * Makes a method the GraphQL field of an operation. Kind, type, description and arguments come from the contract; the
 * method gets the input, as flat as REST's, and the context. The method of a subscription gets the event instead.
 */
export const Expose = (operation: AnyOperation): MethodDecorator => {
  const { kind, summary: description, deprecated, nullable = false } = operation;
  const type = () => operation.output as ClassType;
  const options = {
    description,
    nullable,
    ...(deprecated && { deprecationReason: deprecationNote(deprecated) }),
    ...complexityOf(operation),
  };
  const field =
    kind === 'subscription'
      ? Subscription(type, { ...options, subscribe: subscribeTo(operation) })
      : (kind === 'query' ? Query : Mutation)(type, options);
  const input = createParameterDecorator(({ args, root }) =>
    kind === 'subscription' ? root : inputOf(operation, args),
  );
  return (target, name, descriptor) => {
    const parameters = [input, Ctx(), ...argumentsOf(operation)];
    for (const [index, parameter] of parameters.entries()) parameter(target, name, index);
    return field(target, name, descriptor);
  };
};

/** Adds the GraphQL fields of all operations of a contract to a resolver. */
export const Exposes =
  (contract: Readonly<Record<string, AnyOperation>>): ClassDecorator =>
  ({ prototype }) => {
    for (const [name, operation] of Object.entries(contract)) {
      if (name in prototype) throw new Error(`the resolver has a field of its own called ${name}`);
      const value =
        operation.kind === 'subscription'
          ? (event: unknown) => event
          : (input: RawInput, context: Context) => call(operation, context, input);
      Object.defineProperty(prototype, name, { value });
      Expose(operation)(prototype, name, { value });
    }
  };

const subscribeTo =
  (operation: AnyOperation) =>
  ({ args, context }: { args: Record<string, unknown>; context: Context }) =>
    follow(operation, context, inputOf(operation, args));

/** Mutations cost more than queries, and fetching from other servers costs more still; lists cost by their page size. */
const kindCost = { mutation: 100, query: null, subscription: null };
const fetchingCost = 1_000;

function complexityOf(operation: AnyOperation) {
  const cost = operation.cost ?? (operation.prepare ? fetchingCost : kindCost[operation.kind]);
  if (cost === null) return {};
  const complexity: ComplexityEstimator = ({ childComplexity }) => cost + childComplexity;
  return { complexity };
}

const expectedRevisions = 'expectedRevisions';

/** Declares the arguments of an operation: one per field of its input, or one for all grouped fields. */
function argumentsOf({ input, grouped }: AnyOperation): ReturnType<typeof Arg>[] {
  const fields = Object.entries<z.ZodType>(input.shape).filter(
    ([field]) => !(grouped && field in grouped.fields.shape),
  );
  const declared = fields.map(([field, schema]) =>
    field === expectedRevisions ? revisionArgument() : argument(field, schema),
  );
  if (!grouped) return declared;
  const { description, optional: nullable = false } = grouped;
  const type = inputType(grouped.type, description, grouped.fields);
  return [Arg(grouped.argument, () => type, { nullable, description }), ...declared];
}

function argument(field: string, schema: z.ZodType): ReturnType<typeof Arg> {
  const { type, options } = graphqlTypeOf(field, schema);
  return Arg(field, type, options);
}

/** The revision that the client last read; REST takes it from `If-Match`. */
const revisionArgument = () =>
  Arg('revision', () => Int, {
    nullable: true,
    description:
      'Revision of the app that you last read. The call fails with REVISION_CONFLICT if the app has changed since; without it there is no check.',
  });

/** Returns the input of an operation from its GraphQL arguments. */
function inputOf({ input, grouped }: AnyOperation, args: Record<string, unknown>): RawInput {
  const fields = { ...args };
  if (grouped) {
    delete fields[grouped.argument];
    Object.assign(fields, args[grouped.argument]);
  }
  if (expectedRevisions in input.shape) {
    delete fields.revision;
    if (args.revision != null) fields[expectedRevisions] = new Set([args.revision]);
  }
  return fields;
}

/** The arguments of a field that is not an operation, from a zod object. */
export const ArgsOf = (name: string, schema: z.ZodObject): ReturnType<typeof Args> => {
  const type = argumentsType(name, schema);
  return Args(() => type);
};

/** The requested page of a list that can be read from both ends. */
export type ListPage = z.input<typeof TwoWayPage>;

/** The arguments of such a list. */
export const PageArgs = () => ArgsOf('ListPage', TwoWayPage);

/** Validates the arguments of such a list. */
export function parsePage(page: ListPage): z.output<typeof TwoWayPage> {
  const isAmbiguous = page.first != null && page.last != null;
  const message = 'last cannot be given together with first: request one end of the list.';
  return parseInput(
    TwoWayPage,
    { ...page },
    isAmbiguous ? [{ field: 'last', code: 'first_and_last', message }] : [],
  );
}
