import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  Lexer,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
  Source,
  type Token,
  TokenKind,
} from 'graphql';
import { ServiceError } from '../errors.js';
import { exceeded, limits } from './limits.js';
import { hasConditionalRoot } from './root-fields.js';

const opening: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** A lexer that stops the parser at the limits, before it recurses any deeper. */
export class LimitedLexer extends Lexer {
  tokens = 0;
  private spreads = 0;
  private nesting = 0;

  constructor(text: string) {
    super(new Source(text));
  }

  override advance(): Token {
    const token = super.advance();
    if (token.kind === TokenKind.EOF) return token;
    this.tokens += 1;
    if (opening.has(token.kind)) this.nesting += 1;
    else if (closing.has(token.kind)) this.nesting -= 1;
    else if (token.kind === TokenKind.SPREAD) this.spreads += 1;
    if (this.tokens > limits.tokens) throw exceeded('tokens', null);
    if (this.nesting > limits.nesting) throw exceeded('nesting', null);
    if (this.spreads > limits.spreads) throw exceeded('spreads', null);
    return token;
  }
}

/** The size of a selection set with its fragments expanded. */
interface Size {
  nesting: number;
  depth: number;
  aliases: number;
  directives: number;
  nodes: number;
}
const nothing: Size = { nesting: 0, depth: 0, aliases: 0, directives: 0, nodes: 0 };

/** Limits on sums and nesting over the whole document, in the order in which they are reported. */
const sizeLimits: readonly (keyof Size)[] = ['depth', 'aliases', 'directives', 'nodes', 'nesting'];

/**
 * Returns why a parsed document is rejected before validation: an exceeded limit, a cycle of fragments, or a conditional
 * subscription; null if it is not. The time is linear in the document's length and in `limits.nodes`, however its fragments multiply.
 */
export function problemOf(document: DocumentNode): ServiceError | null {
  const { definitions } = document;
  if (definitions.length > limits.definitions) return exceeded('definitions', definitions.length);
  const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const names = new Set(fragments.map(({ name }) => name.value));
  if (names.size < fragments.length) return invalid('Two fragments have the same name. Rename one of them.');
  const measurer = new Measurer(fragments);
  const sizes = [...operations, ...fragments].map((definition) => measurer.sizeOfDefinition(definition));
  if (measurer.cycle !== null) return cyclic(measurer.cycle);
  const subscriptions = operations.filter(({ operation }) => operation === OperationTypeNode.SUBSCRIPTION);
  if (subscriptions.some((subscription) => hasConditionalRoot(document, subscription))) return conditional();
  const size = {
    ...sizes.slice(0, operations.length).reduce(sideBySide, nothing),
    // Validation visits each fragment on its own too, used or not.
    nodes: sizes.reduce((sum, { nodes }) => sum + nodes, 0),
  };
  const limit = sizeLimits.find((name) => size[name] > limits[name]);
  // A sum over expanded fragments may be astronomically large; then only the maximum is reported.
  if (limit) return exceeded(limit, size[limit] > 1_000_000 ? null : size[limit]);
  const overlaps = [...operations, ...fragments]
    .map(({ selectionSet }) => measurer.overlapsIn([selectionSet]))
    .reduce((sum, pairs) => sum + pairs, 0);
  return overlaps > limits.overlaps ? exceeded('overlaps', overlaps) : null;
}

const cyclic = (fragment: string) =>
  invalid(
    `Fragment "${fragment.slice(0, 100)}" spreads itself, directly or through others. Remove one of the spreads.`,
  );

/** graphql-js cannot validate such a condition if it is a variable, and cannot execute it if nothing is selected. */
const conditional = () =>
  invalid('The field of a subscription must not depend on @skip or @include. Remove the directive.');

function invalid(message: string): ServiceError {
  return new ServiceError('VALIDATION_FAILED', message, [{ field: '', code: 'invalid_document', message }]);
}

const sideBySide = (one: Size, other: Size): Size => ({
  nesting: Math.max(one.nesting, other.nesting),
  depth: Math.max(one.depth, other.depth),
  aliases: one.aliases + other.aliases,
  directives: one.directives + other.directives,
  nodes: one.nodes + other.nodes,
});

const withDirectives = (size: Size, { directives = [] }: Pick<SelectionNode, 'directives'>): Size => ({
  ...size,
  directives: size.directives + directives.length,
});

/** Measures the selection sets of a document. Each fragment is measured once. */
class Measurer {
  private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Sizes of fragments; null while one is being measured. */
  private readonly known = new Map<string, Size | null>();
  /** A fragment that spreads itself, if there is one; then the sizes mean nothing. */
  cycle: string | null = null;

  constructor(fragments: readonly FragmentDefinitionNode[]) {
    this.fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  }

  sizeOfDefinition(definition: OperationDefinitionNode | FragmentDefinitionNode): Size {
    return definition.kind === Kind.FRAGMENT_DEFINITION
      ? this.sizeOfFragment(definition.name.value)
      : withDirectives(this.sizeOf(definition.selectionSet), definition);
  }

  private sizeOf({ selections }: SelectionSetNode): Size {
    const size = selections
      .map((selection) => withDirectives(this.sizeOfSelection(selection), selection))
      .reduce(sideBySide, nothing);
    return { ...size, nesting: size.nesting + 1 };
  }

  private sizeOfSelection(selection: SelectionNode): Size {
    if (selection.kind === Kind.FIELD) return this.sizeOfField(selection);
    const size =
      selection.kind === Kind.INLINE_FRAGMENT
        ? this.sizeOf(selection.selectionSet)
        : this.sizeOfFragment(selection.name.value);
    return { ...size, nodes: size.nodes + 1 };
  }

  private sizeOfField({ name, alias, selectionSet }: FieldNode): Size {
    const size = selectionSet ? this.sizeOf(selectionSet) : nothing;
    return {
      ...size,
      // graphql-js has its own rule for the depth of introspection.
      depth: name.value === '__schema' ? 1 : size.depth + 1,
      aliases: size.aliases + (alias ? 1 : 0),
      nodes: size.nodes + 1,
    };
  }

  private sizeOfFragment(name: string): Size {
    const known = this.known.get(name);
    if (known) return known;
    if (known === null) this.cycle = name;
    const fragment = this.fragments.get(name);
    if (known === null || !fragment) return nothing;
    this.known.set(name, null);
    const size = withDirectives(this.sizeOf(fragment.selectionSet), fragment);
    this.known.set(name, size);
    return size;
  }

  /** Counts pairs of fields with the same response name in selection sets that are merged, at all levels. */
  overlapsIn(merged: readonly SelectionSetNode[]): number {
    const fields = new Map<string, FieldNode[]>();
    for (const selectionSet of merged) this.collect(selectionSet, fields);
    let overlaps = 0;
    for (const same of fields.values()) {
      overlaps += (same.length * (same.length - 1)) / 2;
      overlaps += this.overlapsIn(same.flatMap(({ selectionSet }) => selectionSet ?? []));
    }
    return overlaps;
  }

  private collect({ selections }: SelectionSetNode, fields: Map<string, FieldNode[]>): void {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const name = (selection.alias ?? selection.name).value;
        const same = fields.get(name);
        if (same) same.push(selection);
        else fields.set(name, [selection]);
        continue;
      }
      const expanded =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : this.fragments.get(selection.name.value);
      if (expanded) this.collect(expanded.selectionSet, fields);
    }
  }
}
