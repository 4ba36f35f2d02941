import {
  coerceInputValue,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql';
import { type ErrorDetail, ServiceError } from '../errors.js';
import { clipped, problemIn, withEnumValues } from './messages.js';
import { fieldAt, type ValuePath, variablePaths } from './value-path.js';

/** The most problems that are collected (D100). */
const maxProblems = 50;

/** Thrown to stop the coercion of graphql-js when there are enough problems. */
class Enough extends Error {}

type Report = (path: ValuePath, message: string) => void;

interface Checked {
  schema: GraphQLSchema;
  operation: OperationDefinitionNode;
  variables: Record<string, unknown>;
  /** True if messages must not suggest names of the schema. */
  hidesSchema: boolean;
}

/**
 * Returns why the variables do not match their declared types; null if they do. It runs before anything else coerces the
 * variables, and stops after a few problems, since graphql-js and the compiler would describe all of them. Lists longer
 * than any operation accepts are cut first.
 */
export function variablesProblem(checked: Checked): ServiceError | null {
  const details: ErrorDetail[] = [];
  let used: ReadonlyMap<string, ValuePath> | null = null;
  const report: Report = (path, message) => {
    if (details.length === maxProblems) throw new Enough();
    used ??= variablePaths(checked.operation.selectionSet);
    details.push(detailOf(used, path, message));
  };
  try {
    for (const definition of checked.operation.variableDefinitions ?? []) check(checked, definition, report);
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
    return refusal(`more than ${maxProblems} problems`, details);
  }
  if (details.length === 0) return null;
  return refusal(details.length === 1 ? 'one problem' : `${details.length} problems`, details);
}

const refusal = (howMany: string, details: ErrorDetail[]) =>
  new ServiceError(
    'VALIDATION_FAILED',
    `The variables are not valid: they have ${howMany}, see details.`,
    details,
  );

function check(
  { schema, variables, hidesSchema }: Checked,
  { variable, type: typeNode, defaultValue }: VariableDefinitionNode,
  report: Report,
): void {
  const name = variable.name.value;
  const type = typeFromAST(schema, typeNode);
  // Validation has rejected any other type.
  if (!isInputType(type)) return;
  if (!Object.hasOwn(variables, name)) {
    if (!defaultValue && isNonNullType(type)) report([name], `A value of type "${type}" was not provided.`);
    return;
  }
  variables[name] = cutVariable(variables[name]);
  coerceInputValue(
    variables[name],
    type,
    (path, _value, { message }) =>
      report([name, ...path], hidesSchema ? message : withEnumValues(message, schema)),
    hidesSchema,
  );
}

/** Longer than any list that an input may have. */
const longestList = 1_000;

/**
 * Cuts the lists of a variable that are longer than any input allows, so that graphql-js does not coerce every item.
 * The rest is still too long, and the operation rejects it. Lists occur at the top level of an input only.
 */
function cutVariable(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return cut(value);
  const long = Object.entries(value).filter(([, field]) => cut(field) !== field);
  return long.length === 0
    ? value
    : { ...value, ...Object.fromEntries(long.map(([name, field]) => [name, cut(field)])) };
}

const cut = (value: unknown) =>
  Array.isArray(value) && value.length > longestList + 1 ? value.slice(0, longestList + 1) : value;

/** Names the field by the place where the variable is used first. */
function detailOf(
  used: ReadonlyMap<string, ValuePath>,
  [variable, ...path]: ValuePath,
  message: string,
): ErrorDetail {
  const { code, name } = problemIn(message);
  const start = used.get(String(variable)) ?? [String(variable)];
  const field = fieldAt([...start, ...path, ...(name === null ? [] : [name])]);
  return { field: clipped(field), code: code ?? 'invalid_type', message: clipped(`${field}: ${message}`) };
}
