import type { Token, Tokens } from 'marked';
import { type ComponentChildren, h } from 'preact';
import { useMemo } from 'preact/hooks';
import {
  charactersOf,
  headingLevel,
  isWebLink,
  markdownTokens,
} from '../../src/pages/storefront/markdown-tokens.ts';

const all = (tokens: readonly Token[] | undefined): ComponentChildren =>
  tokens?.map((token) => element(token));

/** The element of each kind of token. Others, such as pictures, are their text. */
const elements: Record<string, (token: never) => ComponentChildren> = {
  space: () => null,
  def: () => null,
  hr: () => <hr />,
  br: () => <br />,
  heading: ({ depth, tokens }: Tokens.Heading) => h(`h${headingLevel(depth)}`, { dir: 'auto' }, all(tokens)),
  paragraph: ({ tokens }: Tokens.Paragraph) => <p dir="auto">{all(tokens)}</p>,
  blockquote: ({ tokens }: Tokens.Blockquote) => <blockquote dir="auto">{all(tokens)}</blockquote>,
  strong: ({ tokens }: Tokens.Strong) => <strong>{all(tokens)}</strong>,
  em: ({ tokens }: Tokens.Em) => <em>{all(tokens)}</em>,
  del: ({ tokens }: Tokens.Del) => <del>{all(tokens)}</del>,
  codespan: ({ text }: Tokens.Codespan) => <code>{text}</code>,
  code: ({ text }: Tokens.Code) => (
    <pre>
      <code>{text}</code>
    </pre>
  ),
  list: ({ ordered, start, items }: Tokens.List) => {
    const children = items.map((item, index) => <li key={`${index}`}>{all(item.tokens)}</li>);
    return ordered ? (
      <ol dir="auto" start={Number(start) || 1}>
        {children}
      </ol>
    ) : (
      <ul dir="auto">{children}</ul>
    );
  },
  table: ({ header, rows }: Tokens.Table) => (
    <div class="scroll">
      <table>
        <thead>
          <tr>{header.map(({ tokens, align }) => h('th', { align }, all(tokens)))}</tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={`${row}`}>{cells.map(({ tokens, align }) => h('td', { align }, all(tokens)))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  ),
  link: ({ href, tokens }: Tokens.Link) =>
    isWebLink(href) ? (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
        {all(tokens)}
      </a>
    ) : (
      all(tokens)
    ),
};

function element(token: Token): ComponentChildren {
  const render = elements[token.type];
  if (render) return render(token as never);
  if ('tokens' in token && token.tokens) return all(token.tokens);
  return charactersOf('text' in token ? String(token.text) : token.raw);
}

/** Renders Markdown of a developer, element by element: no pictures, no scripts, links to web pages only. */
export function Markdown({ text }: { text: string }) {
  return (
    <div class="markdown" dir="auto">
      {useMemo(() => all(markdownTokens(text)), [text])}
    </div>
  );
}
