import type { ComplexityEstimator } from 'graphql-query-complexity';
import { Arg, Args, type ClassType, Mutation, Query, UseMiddleware } from 'type-graphql';
import type { z } from 'zod';
import { cutLists, listsOf } from './cut-lists.js';
import { argumentsType, graphqlTypeOf, inputType } from './input-type.js';
import { type AnyOperation, deprecationNote, parse } from './operation.js';
import { TwoWayPage } from './paging.js';

/** Opens an operation at the GraphQL door: its kind, its output and its description come from the contract. */
export const Expose = (operation: AnyOperation): MethodDecorator => {
  const declare = operation.kind === 'query' ? Query : Mutation;
  const { summary: description, deprecated } = operation;
  const expose = declare(() => operation.output as ClassType, {
    description,
    ...(deprecated && { deprecationReason: deprecationNote(deprecated) }),
    ...complexityOf(operation),
  });
  const lists = listsOf(operation.input);
  return (target, name, descriptor) => {
    if (lists.length > 0) UseMiddleware(cutLists(lists))(target, name, descriptor);
    return expose(target, name, descriptor);
  };
};

/** What changes something costs more than what reads, and what fetches from outside still more; pages are counted by their size. */
const kindCost = { mutation: 100, query: null };
const fetchingCost = 1_000;

function complexityOf(operation: AnyOperation) {
  const cost = operation.cost ?? (operation.prepare ? fetchingCost : kindCost[operation.kind]);
  if (cost === null) return {};
  const complexity: ComplexityEstimator = ({ childComplexity }) => cost + childComplexity;
  return { complexity };
}

/** An argument that is a field of a zod object, under its own name. */
export function ArgOf<I extends z.ZodObject>(
  schema: I,
  name: keyof I['shape'] & string,
): ReturnType<typeof Arg> {
  const { type, options } = graphqlTypeOf('Argument', name, schema.shape[name] as z.ZodType);
  return Arg(name, type as () => ClassType, options);
}

/** The page that is asked of a list which can be read from either end. */
export type ListPage = z.input<typeof TwoWayPage>;

const listPage = argumentsType('ListPage', TwoWayPage);

/** The arguments of such a list. */
export const PageArgs = (): ReturnType<typeof Args> => Args(() => listPage);

/** Validates the arguments of such a list. */
export function parsePage(page: ListPage): z.output<typeof TwoWayPage> {
  const isAmbiguous = page.first != null && page.last != null;
  const message = 'last cannot be given together with first: ask for one end of the list.';
  return parse(
    TwoWayPage,
    { ...page },
    isAmbiguous ? [{ field: 'last', code: 'first_and_last', message }] : [],
  );
}

/** The argument `input`, or another that holds a whole zod object. */
export function InputOf(
  typeName: string,
  schema: z.ZodObject,
  { name = 'input', nullable = false }: { name?: string; nullable?: boolean } = {},
): ReturnType<typeof Arg> {
  const type = inputType(typeName, schema);
  return Arg(name, () => type, { nullable, description: schema.description ?? 'What to do it with.' });
}
