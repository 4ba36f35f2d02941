import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';

/** A text in the sources, and its file. */
export interface SourceText {
  readonly file: string;
  readonly text: string;
  /** True if it is text or an attribute of an element, so that people see it as it is. */
  readonly isElement: boolean;
}

type SyntaxNode = Record<string, unknown> & { type?: string };

/** Attributes whose texts are for the browser, not for people. */
const TECHNICAL_ATTRIBUTES = new Set(
  `action autocomplete class d dir for href id inputmode key kind loading name path referrerpolicy rel role scope sort
   status target tone type value viewBox`.split(/\s+/),
);

/** Stands for a value that a template fills in. */
export const FILLED_IN = '…';

/** Returns the texts in the source files of a pattern. With `within`, only those in `new <within>(…)`. */
export function sourceTexts(root: string, pattern: string, within?: string): SourceText[] {
  return globSync(pattern, { cwd: root })
    .toSorted()
    .flatMap((file) => {
      const source = readFileSync(join(root, file), 'utf8');
      const tree = parseSync(source, { syntax: 'typescript', tsx: file.endsWith('x'), decorators: true });
      const texts: SourceText[] = [];
      collect(tree, { file, texts, within, isInside: within === undefined, isElement: false });
      return texts;
    });
}

interface Collection {
  readonly file: string;
  readonly texts: SourceText[];
  readonly within: string | undefined;
  readonly isInside: boolean;
  readonly isElement: boolean;
}

function collect(node: unknown, collection: Collection): void {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) {
    for (const each of node) collect(each, collection);
    return;
  }
  const { type, ...parts } = node as SyntaxNode;
  if (type === 'ImportDeclaration' || type === 'TsLiteralType' || type === 'RegExpLiteral') return;
  if (type === 'CallExpression' && nameIn(parts.callee) === 'graphql') return;
  if (type === 'JSXAttribute' && TECHNICAL_ATTRIBUTES.has(nameIn(parts.name))) return;
  if (type === 'JSXText' || (type === 'StringLiteral' && collection.isInside))
    add(String(parts.value), { ...collection, isElement: type === 'JSXText' || collection.isElement });
  if (type === 'TemplateLiteral' && collection.isInside) add(templateText(parts), collection);
  const inner = {
    ...collection,
    isInside: collection.isInside || (type === 'NewExpression' && nameIn(parts.callee) === collection.within),
    isElement: type === 'JSXAttribute' && isText(parts.value),
  };
  for (const part of Object.values(parts)) collect(part, inner);
}

const isText = (value: unknown) => (value as SyntaxNode | null)?.type === 'StringLiteral';
const nameIn = (node: unknown): string => String((node as SyntaxNode | undefined)?.value ?? '');

const templateText = ({ quasis }: SyntaxNode): string =>
  (quasis as { cooked?: string }[]).map(({ cooked }) => cooked ?? '').join(FILLED_IN);

/** Keeps what reads like a text: with a space, or a word that starts with a capital. */
function add(value: string, { file, texts, isElement }: Collection): void {
  const text = value.replace(/\s+/g, ' ').trim();
  if (/\p{L}{2}/u.test(text) && (text.includes(' ') || /^\p{Lu}/u.test(text)))
    texts.push({ file, text, isElement });
}
