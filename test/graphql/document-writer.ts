import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { Random } from '../fuzz/cost/random.js';
import { words } from '../support/words.js';

/** Values by the name of the argument that takes them: ids and slugs that exist, and some that do not. */
export type Known = Readonly<Record<string, readonly unknown[]>>;

/** Aliases with a meaning in JavaScript, or that a compiler may use for its own variables. */
const trickyAliases = words('__proto__ constructor toString hasOwnProperty valueOf data errors then');
const maxDepth = 4;

/** Writes random queries over the schema: fragments, directives, aliases, variables with and without defaults, nulls. */
export class DocumentWriter {
  private readonly definitions: string[] = [];
  private readonly variables: Record<string, unknown> = {};
  private readonly fragments: string[] = [];
  private readonly random: Random;
  private counter = 0;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly known: Known,
    seed: number,
  ) {
    this.random = new Random(seed);
  }

  write(): { query: string; variables: Record<string, unknown> } {
    const selection = this.selectionSet(this.schema.getQueryType()!, 0);
    const declared = this.definitions.length > 0 ? `(${this.definitions.join(', ')})` : '';
    return {
      query: `query Q${declared} ${selection} ${this.fragments.join(' ')}`,
      variables: this.variables,
    };
  }

  private chance(percent: number): boolean {
    return this.random.chance(percent / 100);
  }

  private pick<T>(items: readonly T[]): T {
    return this.random.pick(items);
  }

  private selectionSet(type: GraphQLObjectType, depth: number): string {
    const count = 1 + this.random.below(depth === 0 ? 2 : 5);
    const selections = Array.from({ length: count }, () => this.selection(type, depth));
    return `{ ${selections.join(' ')} }`;
  }

  private selection(type: GraphQLObjectType, depth: number): string {
    const isInner = depth > 0 && depth < maxDepth;
    if (isInner && this.chance(10))
      return `... on ${type.name}${this.directive()} ${this.selectionSet(type, depth + 1)}`;
    if (isInner && this.chance(8)) return `...${this.directive()} ${this.selectionSet(type, depth + 1)}`;
    if (isInner && this.chance(10)) return `...${this.fragment(type, depth)}${this.directive()}`;
    if (this.chance(8)) return `${this.alias()}__typename${this.directive()}`;
    return this.field(type, depth);
  }

  private fragment(type: GraphQLObjectType, depth: number): string {
    this.counter += 1;
    const name = `F${this.counter}`;
    this.fragments.push(`fragment ${name} on ${type.name} ${this.selectionSet(type, depth + 1)}`);
    return name;
  }

  private field(type: GraphQLObjectType, depth: number): string {
    const fields = Object.values(type.getFields());
    const leaves = fields.filter((field) => isLeafType(getNamedType(field.type)));
    const field = this.pick(depth >= maxDepth && leaves.length > 0 ? leaves : fields);
    const inner = getNamedType(field.type);
    if (depth > maxDepth && !isLeafType(inner)) return '__typename';
    const below = isObjectType(inner) || isInterfaceType(inner) ? ` ${this.selectionOf(inner, depth)}` : '';
    return `${this.alias()}${field.name}${this.args(field)}${this.directive()}${below}`;
  }

  private selectionOf(type: GraphQLObjectType | GraphQLInterfaceType, depth: number): string {
    if (isObjectType(type)) return this.selectionSet(type, depth + 1);
    const possible = this.schema.getPossibleTypes(type).filter(() => this.chance(30));
    const fragments = possible.map((each) => `... on ${each.name} { __typename ${this.alias()}id }`);
    return `{ __typename id ${this.alias()}nodeId ${fragments.join(' ')} }`;
  }

  /** Mostly unique, so that fields with different arguments do not conflict. */
  private alias(): string {
    if (this.chance(4)) return `${this.pick(trickyAliases)}: `;
    this.counter += 1;
    return this.chance(60) ? `a${this.counter}: ` : '';
  }

  private directive(): string {
    if (!this.chance(6)) return '';
    const condition = this.chance(50) ? `${this.chance(50)}` : this.variable('Boolean!', [true, false]);
    return ` @${this.pick(['skip', 'include'])}(if: ${condition})`;
  }

  private args(field: GraphQLField<unknown, unknown>): string {
    const given = field.args.filter(({ type }) => isNonNullType(type) || this.chance(50));
    if (given.length === 0) return '';
    return `(${given.map((arg) => `${arg.name}: ${this.argument(arg)}`).join(', ')})`;
  }

  private argument({ name, type }: GraphQLArgument): string {
    const inner = isNonNullType(type) ? type.ofType : type;
    const values = this.valuesOf(name, inner);
    if (this.chance(50)) return this.variable(`${type}`, isNonNullType(type) ? values : [...values, null]);
    return literal(this.pick(values), inner);
  }

  private valuesOf(name: string, type: GraphQLInputType): readonly unknown[] {
    if (this.known[name]) return this.known[name];
    if (isEnumType(type)) return type.getValues().map((value) => value.name);
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).filter(
        (field) => isNonNullType(field.type) || this.chance(40),
      );
      const value = (field: (typeof fields)[0]) =>
        this.pick(this.valuesOf(field.name, isNonNullType(field.type) ? field.type.ofType : field.type));
      return [Object.fromEntries(fields.map((field) => [field.name, value(field)]))];
    }
    if (isListType(type)) return [[]];
    return (
      {
        Int: [1, 2, 3],
        Boolean: [true, false],
        String: ['a', 'app'],
        ID: ['nothing'],
        DateTimeISO: ['2026-01-01T00:00:00Z'],
      }[`${type}`] ?? ['x']
    );
  }

  /** Declares a variable: with a value, null or missing, with a default or without, as its type allows. */
  private variable(type: string, values: readonly unknown[]): string {
    this.counter += 1;
    const name = `v${this.counter}`;
    const named = this.schema.getType(type.replace(/[[\]!]/g, '')) as GraphQLInputType;
    const hasDefault = this.chance(30) && !type.startsWith('[');
    const nullable = hasDefault && this.chance(50) ? type.replace(/!$/, '') : type;
    this.definitions.push(
      `$${name}: ${nullable}${hasDefault ? ` = ${literal(this.pick(values.filter((value) => value !== null)), named)}` : ''}`,
    );
    if (!(hasDefault || !type.endsWith('!')) || this.chance(60)) this.variables[name] = this.pick(values);
    return `$${name}`;
  }
}

/** Returns a value as a GraphQL literal. */
function literal(value: unknown, type: GraphQLInputType): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return `${value}`;
  if (isEnumType(type)) return `${value as string}`;
  if (Array.isArray(value))
    return `[${value.map((item) => literal(item, (type as { ofType: GraphQLInputType }).ofType)).join(', ')}]`;
  if (!isInputObjectType(type)) return JSON.stringify(value);
  const fields = Object.entries(value as object).map(([name, inner]) => {
    const declared = type.getFields()[name]!.type;
    return `${name}: ${literal(inner, isNonNullType(declared) ? declared.ofType : declared)}`;
  });
  return `{ ${fields.join(', ')} }`;
}
