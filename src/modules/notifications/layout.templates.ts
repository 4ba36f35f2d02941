import escapeHtml from 'escape-html';
import type { MailAction, MailBlock, MailContent, MailFieldChange, MailPoint } from './mail.types.js';

/** Makes a text safe for one line of a mail header: no line breaks, control characters or direction overrides. */
export const headerLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim();

const footer = ({ because = 'you are a developer of the marketplace' }: MailContent): string =>
  `You receive this e-mail because ${because}. Nobody reads replies to it.`;

/** Renders a mail as plain text. */
export function toText(content: MailContent): string {
  const { heading, body, action } = content;
  const blocks = action === null ? body : [...body, action];
  return [heading, ...blocks.map(textOf), `--\n${footer(content)}`].join('\n\n');
}

function textOf(block: MailBlock): string {
  if (typeof block === 'string') return block;
  if ('title' in block) return `== ${block.title}`;
  if ('url' in block) return `${block.label}:\n${block.url}`;
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

const emptyValue = '(nothing)';
const changeAsText = ({ field, before, after }: MailFieldChange) =>
  `* ${field}\n  before:\n${indent(before ?? emptyValue, '    ')}\n  now:\n${indent(after ?? emptyValue, '    ')}`;
const indent = (text: string, by: string) => by + text.replaceAll('\n', `\n${by}`);

/** Renders a mail as HTML: one column, readable on a phone, in light and in dark mode. */
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
<style>${styleSheet}</style>
</head>
<body ${styled('page')}>
<div ${styled('page')}>
<div ${styled('card')}>
<p ${styled('brand')}>Marketplace</p>
<h1 ${styled('heading')}>${escapeHtml(heading)}</h1>
${body.map(htmlOf).join('\n')}
${action === null ? '' : actionHtml(action)}
</div>
<p ${styled('foot')}>${escapeHtml(footer(content))}</p>
</div>
</body>
</html>
`;
}

const actionHtml = (action: MailAction): string =>
  typeof action === 'string'
    ? paragraph(action)
    : `<p ${styled('last')}>${anchor('action', action.label, action.url)}</p>`;
const anchor = (part: 'action' | 'link', label: string, url: string) =>
  `<a ${styled(part)} href="${escapeHtml(url)}" target="_blank">${escapeHtml(label)}</a>`;

function htmlOf(block: MailBlock): string {
  if (typeof block === 'string') return paragraph(block);
  if ('title' in block) return `<p ${styled('title')}>${escapeHtml(block.title)}</p>`;
  if ('url' in block) return `<p ${styled('text')}>${anchor('link', block.label, block.url)}</p>`;
  if ('quote' in block) {
    return `<p ${styled('label')}>${escapeHtml(block.label)}</p>
<blockquote ${styled('quote')}>${lines(block.quote)}</blockquote>`;
  }
  if ('points' in block) return `<ol ${styled('list')}>${block.points.map(point).join('')}</ol>`;
  return block.changes.map(change).join('\n');
}

const styled = (part: keyof typeof inlineStyles) => `class="${part}" style="${inlineStyles[part]}"`;
const lines = (text: string) => escapeHtml(text).replaceAll('\n', '<br>');
const paragraph = (text: string) => `<p ${styled('text')}>${lines(text)}</p>`;
const point = ({ label, tag, text }: MailPoint) =>
  `<li ${styled('point')}><strong>${escapeHtml(label)}</strong>${tag ? ` <span ${styled('tag')}>${escapeHtml(tag)}</span>` : ''}<br>${lines(text)}</li>`;
const change = ({ field, before, after }: MailFieldChange) =>
  `<div ${styled('change')}><strong>${escapeHtml(field)}</strong>
<p ${styled('side')}>Before</p>${before === null ? emptyValue : `<del ${styled('before')}>${lines(before)}</del>`}
<p ${styled('side')}>Now</p>${after === null ? emptyValue : `<ins ${styled('after')}>${lines(after)}</ins>`}</div>`;

const font = "font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Styles as attributes of each tag, because many mail programs ignore a style sheet. */
const inlineStyles = {
  page: `margin:0;padding:24px 12px;background:#f2f4f7;color:#1d2433;${font}`,
  card: 'max-width:560px;margin:0 auto;padding:28px;background:#ffffff;border-radius:12px',
  brand: 'margin:0 0 12px;font-size:13px;font-weight:600;letter-spacing:.02em;color:#4338ca',
  heading: 'margin:0 0 16px;font-size:22px;line-height:1.3;overflow-wrap:anywhere',
  text: 'margin:0 0 16px;overflow-wrap:anywhere',
  title: 'margin:28px 0 8px;font-size:18px;font-weight:600;overflow-wrap:anywhere',
  label: 'margin:0 0 6px;font-weight:600',
  quote:
    'margin:0 0 16px;padding:10px 14px;border-left:4px solid #4338ca;background:#f5f5fb;border-radius:0 8px 8px 0;overflow-wrap:anywhere',
  list: 'margin:0 0 16px;padding-left:24px',
  point: 'margin:0 0 12px;overflow-wrap:anywhere',
  tag: 'padding:1px 8px;border-radius:99px;background:#eceefb;color:#3730a3;font-size:12px;white-space:nowrap',
  change:
    'margin:0 0 16px;padding:12px 14px;border:1px solid #e3e5ec;border-radius:8px;overflow-wrap:anywhere',
  side: 'margin:8px 0 2px;font-size:12px;color:#5b6475',
  before: 'color:#9f1d1d',
  after: 'color:#14662f;text-decoration:none',
  last: 'margin:24px 0 0',
  action:
    'display:inline-block;padding:12px 20px;border-radius:8px;background:#4338ca;color:#ffffff;text-decoration:none;font-weight:600',
  link: 'color:#4338ca',
  foot: 'max-width:560px;margin:16px auto 0;font-size:13px;color:#5b6475',
} satisfies Record<string, string>;

/** Rules that need a style sheet: small screens and dark mode. Only `!important` overrides the attributes. */
const styleSheet = `
  body.page { padding: 0 !important; }
  @media (max-width: 480px) {
    div.page { padding: 12px 8px !important; }
    .card { padding: 20px !important; }
    .foot { padding: 0 20px !important; }
  }
  @media (prefers-color-scheme: dark) {
    .page { background: #101218 !important; color: #e8eaf1 !important; }
    .card { background: #181b24 !important; }
    .brand { color: #a5a8ff !important; }
    .quote { background: #20243a !important; border-color: #a5a8ff !important; }
    .tag { background: #2a2f52 !important; color: #c7c9ff !important; }
    .change { border-color: #2f3545 !important; }
    .side, .foot { color: #9aa2b6 !important; }
    .before { color: #ff9d9d !important; }
    .after { color: #8fe0a8 !important; }
    .link { color: #a5a8ff !important; }
    .action { background: #a5a8ff !important; color: #14152b !important; }
  }
`;
