import { readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import {
  getAltairHtml,
  getDistDirectory,
  isSandboxFrame,
  type RenderOptions,
  SANDBOX_FRAME_CSP,
} from 'altair-static';
import express, { type Request, type RequestHandler } from 'express';
import { DEMO_ACCOUNTS, type DemoAccount } from '../auth/demo-accounts.js';
import { responding } from '../server/express-app.js';
import { type HttpResponse, textResponse } from '../server/http-response.js';
import { StaticResponse, staticFiles } from '../server/static-response.js';
import { pageHeaders } from './content-security-policy.js';
import { PLAYGROUND_CSS, PLAYGROUND_SCRIPT } from './playground-client.js';
import type { PresetOperation, PresetRole } from './playground-presets.js';

/** Issues a token for a demo account. Exists only if the service is its own identity provider (D14). */
export type DevToken = (account: DemoAccount) => Promise<string>;

/** A view of the playground, selected by `/playground?as=…`: the roles whose tabs it shows, and the tab that it opens. */
interface View {
  roles: readonly PresetRole[];
  opens: string;
}
const VIEWS: Record<string, View> = {
  admin: { roles: ['administrator', 'anyone'], opens: 'Review queue' },
  developer: { roles: ['newcomer', 'developer', 'anyone'], opens: 'My apps' },
};

interface PlaygroundOptions {
  /** Path of the service in its public URL, without a trailing slash. */
  base: string;
  introspection: boolean;
  devToken: DevToken | null;
  operations: readonly PresetOperation[];
  /** Protects the page if it contains tokens. */
  localOnly: RequestHandler;
}

/** The GraphQL playground: Altair from npm, with one tab for each preset document. */
export function playground(options: PlaygroundOptions): express.Router {
  const router = express.Router();
  const { devToken, localOnly } = options;
  const pages = new Map(
    [undefined, ...Object.keys(VIEWS)].map((view) => [view, html(options, VIEWS[view ?? ''])]),
  );
  const pageFor = ({ query: { as } }: Request) => pages.get(String(as)) ?? pages.get(undefined)!;
  if (devToken) {
    router.all('/', localOnly);
    router.get(
      '/',
      responding(async (request) => {
        const page = withTokens(pageFor(request), await tokensBy(devToken));
        return textResponse('html', page, { ...headers, 'cache-control': 'no-store' });
      }),
    );
  } else {
    const responses = new Map(
      [...pages.values()].map((page) => [page, new StaticResponse(page, 'html', { headers })]),
    );
    router.get(
      '/',
      responding((request) => responses.get(pageFor(request))!.for(request)),
    );
  }
  router.get('/client.js', new StaticResponse(PLAYGROUND_SCRIPT, 'js').send);
  router.get('/client.css', new StaticResponse(PLAYGROUND_CSS, 'css').send);
  router.use(staticFiles(assets(), assetHeaders));
  return router;
}

/** Lists all files of Altair by their URL paths. */
function assets(): Map<string, string> {
  const folder = getDistDirectory();
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => statSync(file).isFile());
  return new Map(files.map((file) => [`/${relative(folder, file).replaceAll(sep, '/')}`, file]));
}

const headers = pageHeaders({
  baseUri: ["'self'"],
  scriptSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  // Altair creates style elements and style attributes at run time.
  styleSrc: ["'self'", "'unsafe-inline'"],
});

/** Renders Altair's page. The options are embedded as data, so that the policy does not have to allow inline scripts. */
function html(options: PlaygroundOptions, view: View | undefined): string {
  const { base, introspection } = options;
  const altair: RenderOptions = { ...SETTINGS, initialWindows: presetTabs(options, view) };
  const data = JSON.stringify({ ...altair, introspection }).replaceAll('<', '\\u003c');
  return getAltairHtml()
    .replace('<html>', '<html lang="en">')
    .replace('<title>Altair</title>', '<title>Playground · Marketplace gateway</title>')
    .replace(/<base.*>/, `<base href="${base}/playground/">`)
    .replace('</head>', '<link rel="stylesheet" href="client.css"></head>')
    .replace(
      '</body>',
      () => `<a class="home" href="../">Home</a>
    <script type="application/json" id="playground-options">${data}</script>
    <script type="module" src="client.js"></script></body>`,
    );
}

function presetTabs({ devToken, operations }: PlaygroundOptions, view: View | undefined) {
  return (
    operations
      .filter(({ as }) => !view || view.roles.includes(as))
      // The page opens the first tab.
      .toSorted((a, b) => Number(b.name === view?.opens) - Number(a.name === view?.opens))
      .map(({ name, as, query, variables }) => ({
        initialName: name,
        initialQuery: query,
        ...(variables ? { initialVariables: variables } : {}),
        ...(as === 'anyone'
          ? {}
          : {
              initialHeaders: {
                Authorization: `Bearer ${devToken ? placeholder(as) : 'PASTE-YOUR-TOKEN-HERE'}`,
              },
            }),
      }))
  );
}

const SETTINGS: RenderOptions = {
  // Otherwise Altair restores the tabs of the last visit, with tokens that have expired or belong to another database.
  preserveState: false,
  disableAccount: true,
  instanceStorageNamespace: 'marketplace_gateway_',
  initialSettings: {
    theme: 'system',
    'alert.disableUpdateNotification': true,
    'banners.disable': true,
    disablePushNotification: true,
  },
};

const ACCOUNTS: Record<Exclude<PresetRole, 'anyone'>, DemoAccount> = DEMO_ACCOUNTS;

/** Placeholder in the page for a token of this role. */
const placeholder = (role: string) => `{{token of ${role}}}`;

/** Issues a new token for each role. */
const tokensBy = (devToken: DevToken) =>
  Promise.all(
    Object.entries(ACCOUNTS).map(async ([role, account]) => [role, await devToken(account)] as const),
  );

const withTokens = (page: string, tokens: readonly (readonly [role: string, token: string])[]) =>
  tokens.reduce((filled, [role, token]) => filled.replaceAll(placeholder(role), () => token), page);

/** Altair runs the scripts of a tab in a sandboxed frame without an origin, which cannot access the page or its tokens. */
const assetHeaders = (path: string): HttpResponse['headers'] =>
  isSandboxFrame(path)
    ? { 'content-security-policy': SANDBOX_FRAME_CSP, 'access-control-allow-origin': '*' }
    : {};
