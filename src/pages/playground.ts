import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join, relative, sep } from 'node:path';
import {
  getAltairHtml,
  getDistDirectory,
  isSandboxFrame,
  type RenderOptions,
  SANDBOX_FRAME_CSP,
} from 'altair-static';
import express from 'express';
import { DEMO_ACCOUNTS, type DemoAccount } from '../auth/demo-accounts.js';
import { type HttpResponse, textResponse } from '../server/http-response.js';
import { type Handler, responding } from '../server/routing.js';
import { StaticResponse, staticFiles } from '../server/static-response.js';
import { cspSource, pageHeaders } from './document.js';
import { FRAME_CSS, frame, type Site } from './frame.js';
import { ACCOUNT_SCRIPT } from './playground-account.js';
import { PLAYGROUND_CSS, PLAYGROUND_SCRIPT } from './playground-client.js';
import type { PresetOperation, PresetRole } from './playground-presets.js';
import { STORAGE_SCRIPT } from './playground-storage.js';
import type { SignIn, SignInOptions } from './sign-in.js';

/** Issues a token for a demo account. Exists only if the service is its own identity provider (D14). */
export type DevToken = (account: DemoAccount) => Promise<string>;

/** The views of the playground, selected by `?as=…`: the roles whose documents it has, in this order. */
const VIEWS: Record<string, readonly PresetRole[]> = {
  all: ['anyone', 'newcomer', 'developer', 'administrator'],
  admin: ['administrator'],
  developer: ['developer', 'newcomer'],
};

interface PlaygroundOptions {
  site: Site;
  devToken: DevToken | null;
  /** Null if nobody can sign in: tokens are then pasted. */
  signIn: SignIn | null;
  operations: readonly PresetOperation[];
  /** Protects the page if it contains tokens. */
  localOnly: Handler;
}

/** The GraphQL playground: Altair from npm, with the preset documents as tabs. */
export function playground(options: PlaygroundOptions): express.Router {
  const router = express.Router();
  const { devToken, localOnly } = options;
  if (devToken) {
    router.all('/', localOnly);
    router.get(
      '/',
      responding(async () => {
        const page = html(options, { tokens: await tokensBy(devToken), signIn: null });
        return textResponse('html', page, { ...headers(null), 'cache-control': 'no-store' });
      }),
    );
  } else {
    router.get('/', productionPage(options));
  }
  router.get('/client.js', new StaticResponse(PLAYGROUND_SCRIPT, 'js').send);
  router.get('/account.js', new StaticResponse(ACCOUNT_SCRIPT, 'js').send);
  router.get('/storage.js', new StaticResponse(STORAGE_SCRIPT, 'js').send);
  router.get('/client.css', new StaticResponse(FRAME_CSS + PLAYGROUND_CSS, 'css').send);
  router.use(staticFiles(assets(), assetHeaders));
  return router;
}

/** Serves the page without tokens. It is rendered again if the provider names other endpoints, or could not be reached. */
function productionPage(options: PlaygroundOptions): Handler {
  const pages = new Map<string, StaticResponse>();
  return responding(async (request) => {
    const signIn = (await options.signIn?.options('playground')) ?? null;
    const key = JSON.stringify(signIn);
    const page =
      pages.get(key) ??
      new StaticResponse(html(options, { tokens: {}, signIn }), 'html', { headers: headers(signIn) });
    pages.clear();
    pages.set(key, page);
    return page.for(request);
  });
}

const SIGN_IN = 'provider-sign-in.js';

/** Lists all files of Altair by their URL paths, and the script that signs in, which the other pages have, too. */
function assets(): Map<string, string> {
  const folder = getDistDirectory();
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => statSync(file).isFile());
  return new Map([
    ...files.map((file) => [`/${relative(folder, file).replaceAll(sep, '/')}`, file] as const),
    [`/${SIGN_IN}`, join(findPackageJSON('..', import.meta.url)!, '..', 'dist', 'playground', SIGN_IN)],
  ]);
}

/** Returns the headers of the page. Besides this service it may call the provider's token endpoint only (D173). */
const headers = (signIn: SignInOptions | null) =>
  pageHeaders({
    baseUri: ["'self'"],
    scriptSrc: ["'self'"],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'", ...(signIn?.endpoints ? [cspSource(signIn.endpoints.token)] : [])],
    // Altair creates style elements and style attributes at run time.
    styleSrc: ["'self'", "'unsafe-inline'"],
  });

interface PageData {
  /** Tokens of the demo accounts, by account. */
  tokens: Readonly<Record<string, string>>;
  signIn: SignInOptions | null;
}

/** Renders Altair's page. The options are embedded as data, so that the policy does not have to allow inline scripts. */
function html({ site, devToken, operations }: PlaygroundOptions, page: PageData): string {
  const presets = operations.map((preset) => presetTab(preset, devToken !== null));
  const altair: RenderOptions = {
    ...SETTINGS,
    // Altair restores the tabs of the last visit. Changed documents are another set of tabs.
    instanceStorageNamespace: `marketplace_${createHash('sha256').update(JSON.stringify(presets)).digest('hex').slice(0, 12)}_`,
    initialEnvironments: {
      base: { title: 'Accounts', variables: devToken ? DEMO_VARIABLES : { token: SIGNED_IN } },
    },
  };
  const { base, introspection } = site;
  const options = { altair, presets, views: VIEWS, introspection, signedIn: SIGNED_IN, ...page };
  const data = JSON.stringify(options).replaceAll('<', '\\u003c');
  return getAltairHtml()
    .replace('<html>', '<html lang="en">')
    .replace('<title>Altair</title>', '<title>Playground · Marketplace gateway</title>')
    .replace(/<base.*>/, `<base href="${base}/playground/">`)
    .replace(
      /<body[^>]*>/,
      (body) => body + frame(site, '/playground').replace('</header>', `${TOOLS}</header>`),
    )
    .replace('</head>', '<link rel="stylesheet" href="client.css"></head>')
    .replace(
      '</body>',
      () => `<noscript><p class="notice">This page needs JavaScript.</p></noscript><p class="notice" role="status" hidden></p>
    <script type="application/json" id="playground-options">${data}</script>
    <script type="module" src="client.js"></script></body>`,
    );
}

/** Our own part of the page, in its header. */
const TOOLS = `<div class="tools">
    <details class="operations"><summary>Find an operation</summary><div>
      <input type="search" placeholder="Search operations" aria-label="Search operations" autocomplete="off" spellcheck="false">
      <div></div></div></details>
    <button class="reset" type="button" title="Restore the tabs as they were at first">Reset</button>
    <button class="account" type="button" hidden></button>
  </div>`;

/** Value of the variable `token`, which the page replaces by the token of the account that signed in. */
const SIGNED_IN = 'signed-in-account';

const presetTab = (
  { name, as, group, opensAtFirst, query, variables }: PresetOperation,
  isDemo: boolean,
) => ({
  role: as,
  group,
  opensAtFirst,
  tab: {
    initialName: name,
    initialQuery: query,
    ...(variables ? { initialVariables: variables } : {}),
    ...(as === 'anyone' ? {} : { initialHeaders: { Authorization: `Bearer {{${isDemo ? as : 'token'}}}` } }),
  },
});

const SETTINGS: RenderOptions = {
  // For subscriptions, in every tab: somebody may type one anywhere.
  initialSubscriptionRequestHandlerId: 'graphql-sse',
  preserveState: true,
  disableAccount: true,
  initialSettings: {
    theme: 'system',
    enableTablistScrollbar: true,
    'alert.disableUpdateNotification': true,
    'banners.disable': true,
    disablePushNotification: true,
  },
};

const { administrator, developer, newcomer } = DEMO_ACCOUNTS;
const ACCOUNTS: Record<Exclude<PresetRole, 'anyone'>, DemoAccount> = { administrator, developer, newcomer };

/** Altair's variables in development: the demo account of each role, which the page replaces by its token. */
const DEMO_VARIABLES = Object.fromEntries(
  Object.entries(ACCOUNTS).map(([role, { accountUserId }]) => [role, accountUserId]),
);

/** Issues a new token for each demo account. */
const tokensBy = async (devToken: DevToken) =>
  Object.fromEntries(
    await Promise.all(
      Object.values(ACCOUNTS).map(
        async (account) => [account.accountUserId, await devToken(account)] as const,
      ),
    ),
  );

/** Altair runs the scripts of a tab in a sandboxed frame without an origin, which cannot access the page or its tokens. */
const assetHeaders = (path: string): HttpResponse['headers'] =>
  isSandboxFrame(path)
    ? { 'content-security-policy': SANDBOX_FRAME_CSP, 'access-control-allow-origin': '*' }
    : {};
