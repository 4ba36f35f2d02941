import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import express from 'express';
import { StaticResponse, staticFiles } from '../server/static-response.js';
import { pageHeaders } from './content-security-policy.js';
import { ICON } from './document.js';
import { FRAME_CSS, type Frame } from './frame.js';

/** The files of Swagger UI that the page loads. Its folder also contains other builds, source maps and a demo page. */
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'];

const REFERENCE_CSS = `:root { color-scheme: light dark; }
html, html.dark-mode, html.dark-mode .swagger-ui { background: light-dark(#f6f7f9, #14161a); }
body { margin: 0; }
${FRAME_CSS}
/* Swagger UI sets its fonts in many rules of different weights. */
.swagger-ui, .swagger-ui :not(code, code *, pre, pre *, .opblock-summary-path, .opblock-summary-path *) { font-family: system-ui, sans-serif !important; }
.swagger-ui .info .renderedMarkdown p { font-size: 1rem; }
.swagger-ui .renderedMarkdown code, html.dark-mode .swagger-ui .renderedMarkdown code { padding: 1px 4px; border-radius: 4px; background: light-dark(#eef0f4, #272b33); color: inherit; font-size: .875em !important; font-weight: 400; }
.swagger-ui .info a, html.dark-mode .swagger-ui .info a { color: light-dark(#3a36c4, #a7a5ff); font-size: .875rem; }
.swagger-ui .opblock .opblock-summary-method { border-radius: 6px; background: #545b68; font-size: .8125rem; text-shadow: none; }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #3a36c4; }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #136c34; }
.swagger-ui .opblock:is(.opblock-put, .opblock-patch) .opblock-summary-method { background: #8a4b00; }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #a8181f; }
.swagger-ui .opblock.opblock { border-color: light-dark(#d7dbe2, #363b45); border-radius: 10px; background: light-dark(#ffffff, #1d2026); box-shadow: none; }
.swagger-ui .btn.execute { border-color: #3a36c4; border-radius: 8px; background: #3a36c4; }
.swagger-ui .opblock.opblock .tab-header .tab-item.active h4 span::after { background: light-dark(#3a36c4, #a7a5ff); }
.swagger-ui .opblock.opblock .opblock-summary { border-color: light-dark(#d7dbe2, #363b45); }
.swagger-ui .wrapper, .swagger-ui .scheme-container .schemes { max-width: 72rem; padding: 0 20px; }
.swagger-ui .info { margin: 0 0 16px; }
.swagger-ui .info .title { display: none; }
main > h1 { max-width: 72rem; margin: 32px auto 0; padding: 0 20px; box-sizing: border-box; font: 700 1.75rem/1.3 system-ui, sans-serif; color: light-dark(#16181d, #e9ebef); }
.swagger-ui .info .renderedMarkdown p { max-width: 70ch; margin: 1em 0; line-height: 1.6; }
.swagger-ui .scheme-container, html.dark-mode .swagger-ui .scheme-container { padding: 0; background: none; box-shadow: none; }
.swagger-ui .info__summary, .swagger-ui .info__license, .swagger-ui .scheme-container .schemes .schemes-server-container { display: none; }
.swagger-ui .scheme-container .schemes .btn.authorize, html.dark-mode .swagger-ui .scheme-container .btn.authorize { border-color: light-dark(#3a36c4, #a7a5ff); color: light-dark(#3a36c4, #a7a5ff); }
.swagger-ui .auth-wrapper .btn.authorize svg, html.dark-mode .swagger-ui .scheme-container .btn.authorize svg { color: inherit; fill: currentcolor; }
.swagger-ui .opblock-tag { font-size: 1.25rem; }
.swagger-ui .opblock-tag { padding-inline: 0; }
.swagger-ui .scheme-container .auth-wrapper { padding: 0; }
.swagger-ui .scheme-container .btn.authorize { margin: 0; padding: 6px 14px; border-width: 1px; border-radius: 8px; background: light-dark(#ffffff, #1d2026); }
/* The button for the whole page is beside its title where there is room. */
@media (min-width: 40rem) {
  main { position: relative; max-width: 72rem; margin: 0 auto; }
  main > h1 { margin-top: 0; padding-top: 32px; }
  .swagger-ui .scheme-container { position: absolute; top: 32px; right: 0; margin: 0; }
}
@media (max-width: 40rem) {
  .swagger-ui .opblock-tag { display: grid; grid-template-columns: 1fr auto; }
  .swagger-ui .opblock-tag small { grid-row: 2; padding: 0; }
}
`;

/** The REST reference: Swagger UI from npm with our OpenAPI document. */
export function reference({ base, frame }: { base: string; frame: Frame }): express.Router {
  const router = express.Router();
  router.get('/', new StaticResponse(html(base, frame('/docs')), 'html', { headers }).send);
  router.get('/frame.css', new StaticResponse(REFERENCE_CSS, 'css').send);
  router.get('/initializer.js', new StaticResponse(initializer(base), 'js').send);
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  router.use(staticFiles(new Map(FILES.map((file) => [`/${file}`, join(folder, file)]))));
  return router;
}

const headers = pageHeaders({ imgSrc: ["'self'", 'data:'] });

const html = (base: string, header: string) => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>REST reference · Marketplace gateway</title>
  <link rel="icon" href="${ICON}">
  <link rel="stylesheet" href="${base}/docs/swagger-ui.css">
  <link rel="stylesheet" href="${base}/docs/frame.css">
  <script src="${base}/docs/swagger-ui-bundle.js" defer></script>
  <script src="${base}/docs/initializer.js" defer></script>
</head>
<body>
${header}
  <main><h1>REST reference</h1><div id="swagger-ui"></div><noscript><p>This page needs JavaScript. All of it is also in <a href="${base}/openapi.json">openapi.json</a>.</p></noscript></main>
</body>
</html>
`;

/**
 * Starts Swagger UI. Without `validatorUrl: null` the page would send the document's URL to a service on the internet.
 * Swagger UI has a dark mode, but does not read the user's preference, so the script sets it.
 */
const initializer = (base: string) => `const dark = matchMedia('(prefers-color-scheme: dark)');
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
