import escapeHtml from 'escape-html';
import type { MailedKind } from '../audit/event.types.js';
import { darkAndNarrow, type Part, style } from './mail.style.js';

/** What a mail says, before it has a form. */
export interface MailContent {
  subject: string;
  heading: string;
  body: Block[];
  action: { label: string; url: string };
  /** Why somebody gets it who does not as a developer. */
  because?: string;
}

/** A mail that is ready to be sent. */
export interface PreparedMail {
  kind: MailedKind;
  to: { name: string; address: string };
  /** When it happened, in ISO 8601. */
  at: string;
  content: MailContent;
}

/** A piece of a mail: a paragraph, the title of one of several notices, somebody's own words, points to go through one by one, or a difference. */
type Block =
  | string
  | { title: string }
  | { label: string; quote: string }
  | { points: Point[] }
  | { changes: FieldChange[] };

interface Point {
  label: string;
  tag?: string;
  text: string;
}

/** A field as it was and as it is; null where there is nothing. */
export interface FieldChange {
  field: string;
  before: string | null;
  after: string | null;
}

/** A line of a header: whatever a name holds, it ends no line and hides no other character. */
export const headerLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim();

const footer = ({ because = 'you are a developer of the marketplace' }: MailContent): string =>
  `You get this mail because ${because}. Nobody reads replies to it.`;

/** The mail as plain text, for those who read it so. */
export function toText(content: MailContent): string {
  const { heading, body, action } = content;
  const link = `${action.label}:\n${action.url}`;
  return [heading, ...body.map(textOf), link, `--\n${footer(content)}`].join('\n\n');
}

function textOf(block: Block): string {
  if (typeof block === 'string') return block;
  if ('title' in block) return `== ${block.title}`;
  if ('quote' in block) return `${block.label}:\n${indent(block.quote, '> ')}`;
  if ('points' in block) {
    return block.points
      .map(
        ({ label, tag, text }, at) => `${at + 1}. ${label}${tag ? ` (${tag})` : ''}\n${indent(text, '   ')}`,
      )
      .join('\n\n');
  }
  return block.changes.map(changeAsText).join('\n\n');
}

const nothing = '(nothing)';
const changeAsText = ({ field, before, after }: FieldChange) =>
  `* ${field}\n  before:\n${indent(before ?? nothing, '    ')}\n  now:\n${indent(after ?? nothing, '    ')}`;
const indent = (text: string, by: string) => by + text.replaceAll('\n', `\n${by}`);

/** The mail as HTML: one column, readable on a phone, in light and in dark. */
export function toHtml(content: MailContent): string {
  const { subject, heading, body, action } = content;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${darkAndNarrow}</style>
</head>
<body ${look('page')}>
<div ${look('page')}>
<div ${look('card')}>
<p ${look('brand')}>Marketplace</p>
<h1 ${look('heading')}>${escapeHtml(heading)}</h1>
${body.map(htmlOf).join('\n')}
<p ${look('last')}><a ${look('action')} href="${escapeHtml(action.url)}" target="_blank">${escapeHtml(action.label)}</a></p>
</div>
<p ${look('foot')}>${escapeHtml(footer(content))}</p>
</div>
</body>
</html>
`;
}

function htmlOf(block: Block): string {
  if (typeof block === 'string') return paragraph(block);
  if ('title' in block) return `<p ${look('title')}>${escapeHtml(block.title)}</p>`;
  if ('quote' in block) {
    return `<p ${look('label')}>${escapeHtml(block.label)}</p>
<blockquote ${look('quote')}>${lines(block.quote)}</blockquote>`;
  }
  if ('points' in block) return `<ol ${look('list')}>${block.points.map(point).join('')}</ol>`;
  return block.changes.map(change).join('\n');
}

const look = (part: Part) => `class="${part}" style="${style[part]}"`;
const lines = (text: string) => escapeHtml(text).replaceAll('\n', '<br>');
const paragraph = (text: string) => `<p ${look('text')}>${lines(text)}</p>`;
const point = ({ label, tag, text }: Point) =>
  `<li ${look('point')}><strong>${escapeHtml(label)}</strong>${tag ? ` <span ${look('tag')}>${escapeHtml(tag)}</span>` : ''}<br>${lines(text)}</li>`;
const change = ({ field, before, after }: FieldChange) =>
  `<div ${look('change')}><strong>${escapeHtml(field)}</strong>
<p ${look('side')}>Before</p>${before === null ? nothing : `<del ${look('before')}>${lines(before)}</del>`}
<p ${look('side')}>Now</p>${after === null ? nothing : `<ins ${look('after')}>${lines(after)}</ins>`}</div>`;
