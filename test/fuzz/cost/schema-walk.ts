import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { Random } from './random.js';

/** The steps of a walk, and their number. */
interface Manner {
  aliases: number;
  fragments: number;
  directives: number;
  mistakes: number;
  depth: number;
}

/** Returns a valid document, or nearly, with about `size` fields: a random walk over the schema. */
export function walk(schema: GraphQLSchema, random: Random, size: number): string {
  const manner: Manner = {
    aliases: random.pick([0, 0.01, 0.2]),
    fragments: random.pick([0, 0.1, 0.6]),
    directives: random.pick([0, 0.02, 0.2]),
    mistakes: random.pick([0, 0, 0.01, 0.3]),
    depth: random.pick([4, 8, 11, 14]),
  };
  const walker = new Walker(random, manner, size);
  const root = random.chance(0.9) ? schema.getQueryType()! : schema.getMutationType()!;
  const fields = walker.selection(root, manner.depth);
  return [`${root.name.toLowerCase()} ${fields}`, ...walker.fragments].join(' ');
}

class Walker {
  readonly fragments: string[] = [];

  constructor(
    private readonly random: Random,
    private readonly manner: Manner,
    private left: number,
  ) {}

  selection(type: GraphQLObjectType, depth: number): string {
    const fields = Object.values(type.getFields());
    const parts: string[] = ['__typename'];
    const width = type.name === 'Query' || this.random.chance(0.3) ? this.left : this.random.below(12);
    for (let i = 0; i < width && this.left > 0; i += 1) {
      this.left -= 1;
      parts.push(this.fieldOf(type, this.random.pick(fields), depth));
    }
    return `{ ${parts.join(' ')} }`;
  }

  private fieldOf(type: GraphQLObjectType, field: GraphQLField<unknown, unknown>, depth: number): string {
    const { random, manner } = this;
    const inner = getNamedType(field.type);
    if (isObjectType(inner) && depth <= 1) return '__typename';
    const alias = random.chance(manner.aliases) ? `a${random.below(1_000)}: ` : '';
    const name = random.chance(manner.mistakes) ? `${field.name}s` : field.name;
    const directive = random.chance(manner.directives) ? ` @include(if: ${random.chance(0.8)})` : '';
    const below = isObjectType(inner) ? ` ${this.selection(inner, depth - 1)}` : '';
    const text = `${alias}${name}${this.argumentsOf(field.args)}${directive}${below}`;
    if (!random.chance(manner.fragments)) return text;
    if (random.chance(0.7)) return `... on ${type.name} { ${text} }`;
    this.fragments.push(`fragment F${this.fragments.length} on ${type.name} { ${text} }`);
    return `...F${this.fragments.length - 1}`;
  }

  private argumentsOf(args: readonly GraphQLArgument[]): string {
    const given = args.filter(({ type }) => isNonNullType(type) || this.random.chance(0.3));
    if (given.length === 0) return '';
    return `(${given.map(({ name, type }) => `${name}: ${this.literal(type, name)}`).join(', ')})`;
  }

  private literal(type: GraphQLInputType, name: string): string {
    const { random, manner } = this;
    if (random.chance(manner.mistakes)) return random.pick(['null', '[1]', '{ a: 1 }', '1.5', 'nobody']);
    if (isNonNullType(type)) return this.literal(type.ofType, name);
    if (isListType(type)) return `[${this.literal(type.ofType, name)}]`;
    if (isEnumType(type)) return random.pick(type.getValues()).name;
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).filter(
        (field) => isNonNullType(field.type) || random.chance(0.3),
      );
      return `{ ${fields.map((field) => `${field.name}: ${this.literal(field.type, field.name)}`).join(', ')} }`;
    }
    if (name === 'first' || name === 'limit') return random.pick(['1', '3', '20', '100', '101']);
    const scalars: Record<string, readonly string[]> = { Int: ['1', '5'], Boolean: ['true', 'false'] };
    return random.pick(scalars[getNamedType(type).name] ?? ['"a"', '"tracker"', '""']);
  }
}
