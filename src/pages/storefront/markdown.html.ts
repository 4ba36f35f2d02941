import escapeHtml from 'escape-html';
import { LRUCache } from 'lru-cache';
import type { Token, Tokens } from 'marked';
import { charactersOf, headingLevel, isWebLink, markdownTokens } from './markdown-tokens.js';

const all = (tokens: readonly Token[] | undefined): string => tokens?.map(htmlOf).join('') ?? '';
const within =
  (tag: string, attributes = '') =>
  ({ tokens }: { tokens?: Token[] }) =>
    `<${tag}${attributes}>${all(tokens)}</${tag}>`;
const cell = (tag: string, { tokens, align }: Tokens.TableCell) =>
  `<${tag}${align ? ` align="${align}"` : ''}>${all(tokens)}</${tag}>`;
const row = (tag: string, cells: readonly Tokens.TableCell[]) =>
  `<tr>${cells.map((each) => cell(tag, each)).join('')}</tr>`;

/** The HTML of each kind of token: the elements of the component that the script renders. Others are their text. */
const elements: Record<string, (token: never) => string> = {
  space: () => '',
  def: () => '',
  hr: () => '<hr>',
  br: () => '<br>',
  heading: ({ depth, tokens }: Tokens.Heading) =>
    within(`h${headingLevel(depth)}`, ' dir="auto"')({ tokens }),
  paragraph: within('p', ' dir="auto"'),
  blockquote: within('blockquote', ' dir="auto"'),
  strong: within('strong'),
  em: within('em'),
  del: within('del'),
  codespan: ({ text }: Tokens.Codespan) => `<code>${escapeHtml(text)}</code>`,
  code: ({ text }: Tokens.Code) => `<pre><code>${escapeHtml(text)}</code></pre>`,
  list: ({ ordered, start, items }: Tokens.List) => {
    const children = items.map(({ tokens }) => `<li>${all(tokens)}</li>`).join('');
    return ordered
      ? `<ol dir="auto" start="${Number(start) || 1}">${children}</ol>`
      : `<ul dir="auto">${children}</ul>`;
  },
  table: ({ header, rows }: Tokens.Table) =>
    `<div class="scroll"><table><thead>${row('th', header)}</thead><tbody>${rows.map((cells) => row('td', cells)).join('')}</tbody></table></div>`,
  link: ({ href, tokens }: Tokens.Link) =>
    isWebLink(href)
      ? `<a href="${escapeHtml(href)}" rel="noopener noreferrer nofollow ugc">${all(tokens)}</a>`
      : all(tokens),
};

function htmlOf(token: Token): string {
  const render = elements[token.type];
  if (render) return render(token as never);
  if ('tokens' in token && token.tokens) return all(token.tokens);
  return escapeHtml(charactersOf('text' in token ? String(token.text) : token.raw));
}

/** Texts are rendered again with every change of the catalog, and reading one can take 40 ms. */
const rendered = new LRUCache<string, string>({
  max: 200,
  maxSize: 4_000_000,
  sizeCalculation: ({ length }) => length || 1,
});

/** Returns Markdown of a developer as HTML: no pictures, no scripts, links to web pages only. */
export function markdownHtml(markdown: string): string {
  const known = rendered.get(markdown);
  if (known !== undefined) return known;
  const html = `<div class="markdown" dir="auto">${all(markdownTokens(markdown))}</div>`;
  rendered.set(markdown, html);
  return html;
}
