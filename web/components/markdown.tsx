import DOMPurify from 'dompurify';
import { Marked } from 'marked';
import { useMemo } from 'preact/hooks';

const allowed = {
  ALLOWED_TAGS: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code'],
    ...['em', 'strong', 'del', 'a', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  ALLOWED_ATTR: ['href', 'align', 'start'],
  ALLOWED_URI_REGEXP: /^https?:\/\//i,
};

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node.nodeName !== 'A') return;
  node.setAttribute('rel', 'noopener noreferrer nofollow ugc');
  node.setAttribute('target', '_blank');
});

/** HTML in a text is text: it is shown as it was written, so that nothing in it is hidden from a reader. */
const markdown = new Marked({ tokenizer: { html: () => undefined, tag: () => undefined } });

/** Headings of a text are below those of the page. */
const lowered = (html: string) =>
  html.replace(/<(\/?)h([1-4])>/g, (_, slash: string, level: string) => `<${slash}h${Number(level) + 2}>`);

/** Renders Markdown of a developer. Only harmless elements stay: no pictures, no scripts, links to web pages only. */
export function Markdown({ text }: { text: string }) {
  const html = useMemo(
    () =>
      DOMPurify.sanitize(lowered(markdown.parse(text, { async: false })), {
        ...allowed,
        RETURN_TRUSTED_TYPE: true,
      }),
    [text],
  );
  // The sanitizer has made it harmless, and the policy of the page accepts nothing else.
  return <div class="markdown" dir="auto" dangerouslySetInnerHTML={{ __html: html as unknown as string }} />;
}
