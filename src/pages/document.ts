import { createHash } from 'node:crypto';

/** A page without external files: its style sheet is inline, and it runs no script. */
interface PageDocument {
  title: string;
  css: string;
  /** HTML. The caller must have escaped all values in it. */
  body: string;
  /** More elements for the head. */
  head?: string;
  /** The header of the product. */
  header?: string;
}

/** Renders a page with the layout that our own pages share. */
export const pageDocument = ({
  title,
  css,
  body,
  head = '',
  header = '',
}: PageDocument): string => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title}</title>
  <link rel="icon" href="${ICON}">${head && `\n  ${head}`}
  <style>${css}</style>
</head>
<body>
${header}
<main>
  ${body}
</main>
</body>
</html>
`;

/** Directives of the content security policy of our own pages: the inline style sheet by its hash, and the icon. */
export const documentPolicy = (css: string): Record<string, string[]> => ({
  scriptSrc: ["'none'"],
  styleSrc: [`'sha256-${createHash('sha256').update(css).digest('base64')}'`],
  imgSrc: ['data:'],
});

export const ICON =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='4' fill='%234338ca'/><path d='M4 11V5l4 4 4-4v6' fill='none' stroke='white' stroke-width='1.75'/></svg>";
