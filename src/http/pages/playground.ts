import type { ServerResponse } from 'node:http';
import {
  getAltairHtml,
  getDistDirectory,
  isSandboxFrame,
  type RenderOptions,
  SANDBOX_FRAME_CSP,
} from 'altair-static';
import express from 'express';
import { DEMO_ACCOUNTS, type DemoAccount } from '../../auth/demo-accounts.js';
import type { PresetOperation, Role } from '../operations.js';
import { PLAYGROUND_CSS, PLAYGROUND_SCRIPT } from './playground-client.js';
import { pageHeaders } from './policy.js';

/** Mints an account's token; exists only where the service is its own identity provider (D14). */
export type DevToken = (account: DemoAccount) => Promise<string>;

/** The roles whose tabs `/playground?as=…` shows, and the tab that it opens; without it, all tabs. */
interface View {
  roles: readonly Role[];
  opens: string;
}
const VIEWS: Record<string, View> = {
  admin: { roles: ['administrator', 'anyone'], opens: 'Review queue' },
  developer: { roles: ['newcomer', 'developer', 'anyone'], opens: 'My apps' },
};

interface PlaygroundOptions {
  /** The path of the service's root in its public address, without a final slash. */
  base: string;
  introspection: boolean;
  devToken: DevToken | null;
  operations: readonly PresetOperation[];
}

/** The GraphQL playground: Altair from npm, whose tabs are the preset documents. */
export function playground(options: PlaygroundOptions): express.Router {
  const router = express.Router();
  router.get('/', headers, async (request, response) => {
    const initialWindows = await presetTabs(options, VIEWS[String(request.query.as)]);
    // The page holds tokens.
    response.set('Cache-Control', 'no-store').type('html');
    response.send(html(options, { ...SETTINGS, initialWindows }));
  });
  router.get('/client.js', (_request, response) => {
    response.type('js').send(PLAYGROUND_SCRIPT);
  });
  router.get('/client.css', (_request, response) => {
    response.type('css').send(PLAYGROUND_CSS);
  });
  router.use(
    express.static(getDistDirectory(), {
      index: false,
      maxAge: '1h',
      acceptRanges: false,
      setHeaders: assetHeaders,
    }),
  );
  return router;
}

const headers = pageHeaders({
  baseUri: ["'self'"],
  scriptSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  // Altair makes style elements and style attributes as it runs.
  styleSrc: ["'self'", "'unsafe-inline'"],
});

/** Altair's page with our options in it as data: so the policy need not allow inline scripts. */
function html({ base, introspection }: PlaygroundOptions, altair: RenderOptions): string {
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

async function presetTabs({ devToken, operations }: PlaygroundOptions, view: View | undefined) {
  const authorization = await authorizationHeaders(devToken);
  return (
    operations
      .filter(({ as }) => !view || view.roles.includes(as))
      // The first tab is the one that opens.
      .toSorted((a, b) => Number(b.name === view?.opens) - Number(a.name === view?.opens))
      .map(({ name, as, query, variables }) => ({
        initialName: name,
        initialQuery: query,
        ...(variables ? { initialVariables: variables } : {}),
        ...(as === 'anyone' ? {} : { initialHeaders: { Authorization: authorization[as] } }),
      }))
  );
}

const SETTINGS: RenderOptions = {
  // Altair would bring back the tabs of the last visit, tokens that have expired or belong to another database included.
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

/** In development a fresh token for each role; elsewhere a place to paste one. */
async function authorizationHeaders(devToken: DevToken | null): Promise<Record<string, string>> {
  const accounts: Record<Exclude<Role, 'anyone'>, DemoAccount> = DEMO_ACCOUNTS;
  const entries = Object.entries(accounts).map(async ([role, account]) => [
    role,
    `Bearer ${devToken ? await devToken(account) : 'PASTE-YOUR-TOKEN-HERE'}`,
  ]);
  return Object.fromEntries(await Promise.all(entries));
}

/** Altair runs a tab's own scripts in a frame: of no origin, so that it reaches neither the page nor its tokens. */
function assetHeaders(response: ServerResponse, path: string) {
  if (!isSandboxFrame(path)) return;
  response.setHeader('Content-Security-Policy', SANDBOX_FRAME_CSP);
  response.setHeader('Access-Control-Allow-Origin', '*');
}
