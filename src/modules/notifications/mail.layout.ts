/** What a mail says, before it has a form. */
export interface MailContent {
  subject: string;
  heading: string;
  paragraphs: string[];
  /** Points to go through one by one, each with a label. */
  points?: { label: string; text: string }[];
  /** What comes after the points. */
  closing?: string[];
  action: { label: string; url: string };
}

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const lines = (text: string) => escapeHtml(text).replaceAll('\n', '<br>');

/** The mail as plain text, for those who read it so. */
export function toText({ heading, paragraphs, points = [], closing = [], action }: MailContent): string {
  const list = points.map(({ label, text }) => `- ${label}: ${text.replaceAll('\n', '\n  ')}`).join('\n');
  return [
    heading,
    ...paragraphs,
    ...(list ? [list] : []),
    ...closing,
    `${action.label}:\n${action.url}`,
    '--\nThe marketplace',
  ].join('\n\n');
}

const style = `
  body { margin: 0; padding: 24px 12px; background: #f2f4f7; color: #1d2433; font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif; }
  .card { max-width: 560px; margin: 0 auto; padding: 28px; background: #fff; border-radius: 12px; }
  h1 { margin: 0 0 16px; font-size: 22px; line-height: 1.3; }
  p { margin: 0 0 16px; overflow-wrap: anywhere; }
  li { margin: 0 0 10px; overflow-wrap: anywhere; }
  ul { margin: 0 0 16px; padding-left: 20px; }
  .action { display: inline-block; padding: 12px 20px; border-radius: 8px; background: #2456d6; color: #fff; text-decoration: none; font-weight: 600; }
  .foot { max-width: 560px; margin: 16px auto 0; font-size: 13px; color: #5b6475; }
  @media (prefers-color-scheme: dark) {
    body { background: #12151c; color: #e7eaf0; }
    .card { background: #1c212c; }
    .action { background: #6b93ff; color: #0c1220; }
    .foot { color: #9aa3b5; }
  }`;

/** The mail as HTML: one column, readable on a phone, light and dark. */
export function toHtml({
  subject,
  heading,
  paragraphs,
  points = [],
  closing = [],
  action,
}: MailContent): string {
  const paragraph = (text: string) => `<p>${lines(text)}</p>`;
  const list = points
    .map(({ label, text }) => `<li><strong>${escapeHtml(label)}</strong>: ${lines(text)}</li>`)
    .join('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${style}</style>
</head>
<body>
<div class="card">
<h1>${escapeHtml(heading)}</h1>
${paragraphs.map(paragraph).join('\n')}
${list && `<ul>${list}</ul>`}
${closing.map(paragraph).join('\n')}
<p style="margin:24px 0 0"><a class="action" href="${escapeHtml(action.url)}">${escapeHtml(action.label)}</a></p>
</div>
<p class="foot">You get this mail because you are a developer of the marketplace.</p>
</body>
</html>
`;
}
