import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import express from 'express';
import { StaticResponse, staticFiles } from '../server/static-response.js';
import { ICON, pageHeaders } from './document.js';
import { FRAME_CSS, frame, type Site } from './frame.js';

/** The files of Swagger UI that the page loads. Its folder also contains other builds, source maps and a demo page. */
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'];

const REFERENCE_CSS = `:root { color-scheme: light dark; --page: light-dark(#f6f7f9, #14161a); --card: light-dark(#ffffff, #1d2026); --raised: light-dark(#eef0f4, #272b33); --line: light-dark(#d7dbe2, #363b45); --edge: light-dark(#838a98, #747b8a); --text: light-dark(#16181d, #e9ebef); --soft: light-dark(#545b68, #a9b0bd); --accent: light-dark(#3a36c4, #a7a5ff); --on-accent: light-dark(#ffffff, #14161a); --bad: light-dark(#a8181f, #ff9b9b); }
html, html.dark-mode, html.dark-mode .swagger-ui { background: var(--page); }
body { margin: 0; }
${FRAME_CSS}
main > h1 { max-width: 72rem; margin: 32px auto 0; padding: 0 20px; box-sizing: border-box; font: 700 1.75rem/1.3 system-ui, sans-serif; color: var(--text); }
/* The id outweighs the colours of Swagger UI, which it sets by long selectors, for both themes and for each method. */
#swagger-ui {
  /* It also sets its fonts in many rules. */
  :not(textarea, code, code *, pre, pre *, .opblock-summary-path, .opblock-summary-path *) { font-family: system-ui, sans-serif; }
  :is(h1, h2, h3, h4, h5, p, li, label, td, th, small, .model, .model-title, .parameter__name, .response-col_status, .opblock-tag, .opblock-summary-path, .opblock-summary-description, .tab button, .property, .btn) { color: var(--text); }
  :is(.parameter__type, .parameter__in, .prop-format, .response-col_links, .response-control-media-type__accept-message, .opblock-tag small) { color: var(--soft); }
  :is(.prop-type, a:not(.nostyle)) { color: var(--accent); }
  :is(.parameter__name.required span, .star), .parameter__name.required::after { color: var(--bad); }
  :is(input, textarea, select) { border: 1px solid var(--edge); border-radius: 8px; background-color: var(--card); box-shadow: none; color: var(--text); }
  :is(input, textarea, select, button):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
  .btn { border: 1px solid var(--line); border-radius: 8px; background: var(--card); box-shadow: none; }
  .btn.execute { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
  .btn:is(.cancel, .invalid) { border-color: var(--bad); color: var(--bad); }
  .btn-group { gap: 8px; }
  :is(pre, pre.microlight, .model-box, section.models .model-container) { border-radius: 8px; background: var(--raised) !important; color: var(--text); }
  :is(pre, pre.microlight) :is(code, span) { color: var(--text) !important; }
  :is(textarea, pre, pre code) { font-weight: 400; }
  /* Their symbols are white in the light theme. */
  :is(.copy-to-clipboard, .download-contents) { border-radius: 8px; background: #545b68; color: #fff; }
  .renderedMarkdown code { padding: 1px 4px; border-radius: 4px; background: var(--raised); color: inherit; font-size: .875em !important; font-weight: 400; }
  .wrapper, .scheme-container .schemes { max-width: 72rem; padding: 0 20px; }
  .info { margin: 0 0 16px; }
  .info .title { display: none; }
  .info a { font-size: .875rem; }
  .info .renderedMarkdown p { max-width: 70ch; margin: 1em 0; font-size: 1rem; line-height: 1.6; }
  .info__summary, .info__license, .scheme-container .schemes .schemes-server-container { display: none; }
  .scheme-container { padding: 0; background: none; box-shadow: none; }
  .scheme-container .auth-wrapper { padding: 0; }
  .scheme-container .btn.authorize { margin: 0; padding: 6px 14px; border-color: var(--accent); color: var(--accent); }
  .btn.authorize svg { fill: currentcolor; color: inherit; }
  .opblock-tag { padding-inline: 0; border-color: var(--line); font-size: 1.25rem; }
  .opblock, section.models { border: 1px solid var(--line); border-radius: 10px; background: var(--card); box-shadow: none; }
  :is(.opblock-summary, .opblock-section-header, .opblock-description-wrapper, .opblock-title_normal, thead tr :is(td, th), section.models h4, .auth-container) { border-color: var(--line); }
  .opblock-section-header { background: var(--raised); box-shadow: none; }
  .tab-item.active h4 span::after { background: var(--accent); }
  /* As the badges of the other pages. */
  .opblock-summary-method { border-radius: 6px; background: var(--raised); color: var(--soft); font-size: .8125rem; text-shadow: none; }
  .opblock-get .opblock-summary-method { background: light-dark(#e7e7fb, #262648); color: var(--accent); }
  .opblock-post .opblock-summary-method { background: light-dark(#e2f4e8, #173222); color: light-dark(#136c34, #6fd08f); }
  :is(.opblock-put, .opblock-patch) .opblock-summary-method { background: light-dark(#fdf0d8, #3a2a12); color: light-dark(#8a4b00, #f0b35f); }
  .opblock-delete .opblock-summary-method { background: light-dark(#fde5e5, #421a1c); color: var(--bad); }
  .modal-ux { border: 1px solid var(--line); border-radius: 14px; background: var(--card); }
  .modal-ux-header { border-color: var(--line); }
}
/* The button for the whole page is beside its title where there is room. */
@media (min-width: 40rem) {
  main { position: relative; max-width: 72rem; margin: 0 auto; }
  main > h1 { margin-top: 0; padding-top: 32px; }
  #swagger-ui .scheme-container { position: absolute; top: 32px; right: 0; margin: 0; }
}
@media (max-width: 40rem) {
  #swagger-ui .opblock-tag { display: grid; grid-template-columns: 1fr auto; }
  #swagger-ui .opblock-tag small { grid-row: 2; padding: 0; }
}
`;

/** The REST reference: Swagger UI from npm with our OpenAPI document. */
export function reference(site: Site): express.Router {
  const router = express.Router();
  router.get('/', new StaticResponse(html(site), 'html', { headers }).send);
  router.get('/frame.css', new StaticResponse(REFERENCE_CSS, 'css').send);
  router.get('/initializer.js', new StaticResponse(initializer(site), 'js').send);
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  router.use(staticFiles(new Map(FILES.map((file) => [`/${file}`, join(folder, file)]))));
  return router;
}

const headers = pageHeaders({ imgSrc: ["'self'", 'data:'] });

const html = (site: Site) => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>REST reference · Marketplace gateway</title>
  <link rel="icon" href="${ICON}">
  <link rel="stylesheet" href="${site.base}/docs/swagger-ui.css">
  <link rel="stylesheet" href="${site.base}/docs/frame.css">
  <script src="${site.base}/docs/swagger-ui-bundle.js" defer></script>
  <script src="${site.base}/docs/initializer.js" defer></script>
</head>
<body>
${frame(site, '/docs')}
  <main><h1>REST reference</h1><div id="swagger-ui"></div><noscript><p>This page needs JavaScript. All of it is also in <a href="${site.base}/openapi.json">openapi.json</a>.</p></noscript></main>
</body>
</html>
`;

/**
 * Starts Swagger UI. Without `validatorUrl: null` the page would send the document's URL to a service on the internet.
 * Swagger UI has a dark mode, but does not read the user's preference, so the script sets it.
 */
const initializer = ({ base }: Site) => `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
const methods = ['get', 'post', 'put', 'patch', 'delete'];
SwaggerUIBundle({
  url: '${base}/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
  operationsSorter: (one, other) =>
    one.get('path').localeCompare(other.get('path')) ||
    methods.indexOf(one.get('method')) - methods.indexOf(other.get('method')),
  // Swagger UI gives the choice of the server no name.
  onComplete: () => document.getElementById('servers')?.setAttribute('aria-label', 'Server'),
});
`;
