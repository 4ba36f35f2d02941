import { Lexer, Marked, type Token, type Tokens, type TokensList } from 'marked';

/**
 * A text that exceeds one of these limits is shown as plain text. The time that the lexer takes grows with the square of each
 * of them, and a developer's text must not slow down the service.
 */
const MAX_SPECIAL_CHARACTERS = 200;
/** Characters without a blank: everywhere in a word an e-mail address may begin. */
const MAX_WORD = 500;
/** The sum of these squares in a text. After it, paragraphs are read as plain text, too. */
const MAX_SQUARES = 10 * MAX_SPECIAL_CHARACTERS ** 2;
/** The cells of a table, each row of which is filled up to the width of the header. */
const MAX_CELLS = 2_000;
const MAX_LINES = 500;
/** Lists and quotes inside each other. */
const MAX_DEPTH = 10;
/** A line that begins more of them: the reader follows these without `blockTokens`, and with the next line reads each again. */
const DEEP_LINE = new RegExp(String.raw`^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])){${MAX_DEPTH + 1}}`, 'm');
/** Characters that are read in all: those in lists, quotes and emphasis once more for each of these around them. */
const MAX_READ = 120_000;
/** Characters of all addresses together. A definition is written once, and every link to it has its address. */
const MAX_ADDRESSES = 40_000;

/** HTML in a text is text: it is shown as it was written, so that nothing in it is hidden from a reader. */
const { defaults } = new Marked({
  tokenizer: {
    html: () => undefined,
    tag: () => undefined,
    table: (source) => (cellsOf(source) > MAX_CELLS ? undefined : false),
  },
});

/** Returns the number of cells that a table at the start of a text would have. */
function cellsOf(source: string): number {
  const end = source.search(/\n[ \t]*\n/);
  const lines = (end < 0 ? source : source.slice(0, end)).split('\n');
  return lines.length * (lines[0]?.split('|').length ?? 0);
}

/** Reads what exceeds a limit as plain text. */
class BoundedLexer extends Lexer {
  private depth = 0;
  private squares = 0;
  private read = 0;
  private addresses = 0;

  override blockTokens(source: string, tokens?: Token[], isClipped?: boolean): Token[];
  override blockTokens(source: string, tokens?: TokensList, isClipped?: boolean): TokensList;
  override blockTokens(source: string, tokens: Token[] = [], isClipped?: boolean): Token[] {
    this.read += source.length;
    if (this.depth > MAX_DEPTH || this.read > MAX_READ) return withText(tokens, source);
    this.depth += 1;
    const found = super.blockTokens(source, tokens, isClipped);
    this.depth -= 1;
    return found;
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    const special = source.match(/[*_~`[\]!<&|\\:@]/g)?.length ?? 0;
    this.squares += special ** 2;
    this.read += source.length;
    if (special > MAX_SPECIAL_CHARACTERS || this.squares > MAX_SQUARES) return withText(tokens, source);
    if (this.read > MAX_READ || hasLongWord(source)) return withText(tokens, source);
    for (const token of super.inlineTokens(source, tokens)) this.boundAddress(token);
    return tokens;
  }

  /** A link without an address is shown as its text. */
  private boundAddress(token: Token): void {
    if (token.type !== 'link') return;
    this.addresses += token.href.length;
    if (this.addresses > MAX_ADDRESSES) token.href = '';
  }
}

const hasLongWord = (text: string) => text.split(/\s/).some(({ length }) => length > MAX_WORD);

function withText(tokens: Token[], text: string): Token[] {
  tokens.push({ type: 'text', raw: text, text });
  return tokens;
}

/** Returns the tokens of a Markdown text, in a limited time whatever the text contains. */
export function markdownTokens(text: string): Token[] {
  if (text.split('\n').length > MAX_LINES || DEEP_LINE.test(text)) return withText([], text);
  const tokens = new BoundedLexer(defaults).lex(text);
  const headings = tokens.filter((token): token is Tokens.Heading => token.type === 'heading');
  // The first level of a text is the highest that it uses, so that no level of the page is skipped.
  const highest = Math.min(...headings.map(({ depth }) => depth));
  for (const heading of headings) heading.depth -= highest - 1;
  return tokens;
}

/** Headings of a text are below those of the page. */
const HEADINGS_LOWERED_BY = 2;
export const headingLevel = (depth: number): number => Math.min(6, depth + HEADINGS_LOWERED_BY);

export const isWebLink = (href: string): boolean => /^https?:\/\//i.test(href);

const namedCharacters = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }),
);

/** No text of a developer may have these (D112), however they are written. The library resolves most references itself. */
const hidden = /[^\P{Cc}\n\t]|[\p{Cs}\u202a-\u202e\u2066-\u2069]/gu;

/** Returns a text with the characters that its entities stand for. */
export const charactersOf = (text: string): string =>
  text
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      if (name) return namedCharacters.get(name) ?? whole;
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    })
    .replace(hidden, '');
