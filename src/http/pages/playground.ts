import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import {
  getDistDirectory,
  isSandboxFrame,
  type RenderOptions,
  renderAltair,
  SANDBOX_FRAME_CSP,
} from 'altair-static';
import express from 'express';
import type { PresetOperation, Role } from '../operations.js';
import { pageHeaders } from './policy.js';

/** Mints an account's token; exists only where the service is its own identity provider (D14). */
export type DevToken = (account: DemoAccount) => Promise<string>;
/** Somebody whose token the playground holds in development. */
export type DemoAccount = { accountUserId: string; admin: boolean; name: string };

/** Who runs which tab in development. `newcomer` is nobody's account yet, so that it can register. */
export const DEMO_ACCOUNTS: Record<Exclude<Role, 'anyone'>, DemoAccount> = {
  administrator: { accountUserId: 'demo-admin', admin: true, name: 'Demo administrator' },
  developer: { accountUserId: 'demo-developer', admin: false, name: 'Demo developer' },
  newcomer: { accountUserId: 'newcomer', admin: false, name: 'Nia Newcomer' },
};

/** The roles whose tabs `/playground?as=…` shows; without it, all tabs. */
const VIEWS: Record<string, readonly Role[]> = {
  admin: ['administrator', 'anyone'],
  developer: ['newcomer', 'developer', 'anyone'],
};

export interface PlaygroundOptions {
  /** The path of the service's root in its public address, without a final slash. */
  base: string;
  devToken: DevToken | null;
  operations: readonly PresetOperation[];
}

/** The GraphQL playground: Altair from npm, whose tabs are the preset documents. */
export function playground(options: PlaygroundOptions): express.Router {
  const router = express.Router();
  router.get('/', async (request, response, next) => {
    const cspNonce = randomBytes(16).toString('base64');
    const html = renderAltair({
      ...SETTINGS,
      cspNonce,
      baseURL: `${options.base}/playground/`,
      endpointURL: `${options.base}/graphql`,
      initialWindows: await tabs(options, VIEWS[String(request.query.as)]),
    });
    pagePolicy(cspNonce)(request, response, (error) => {
      if (error) return next(error);
      // The page holds tokens.
      response.set('Cache-Control', 'no-store').type('html').send(html);
    });
  });
  router.use(express.static(getDistDirectory(), { index: false, maxAge: '1h', setHeaders: assetHeaders }));
  return router;
}

async function tabs({ base, devToken, operations }: PlaygroundOptions, roles: readonly Role[] | undefined) {
  const authorization = await authorizationHeaders(devToken);
  return operations
    .filter(({ as }) => !roles || roles.includes(as))
    .map(({ name, as, query, variables }) => ({
      initialName: name,
      endpointURL: `${base}/graphql`,
      initialQuery: query,
      initialVariables: variables ?? '{}',
      ...(as === 'anyone' ? {} : { initialHeaders: { Authorization: authorization[as] } }),
    }));
}

const SETTINGS: RenderOptions = {
  // Altair would bring back the tabs of the last visit, tokens that have expired or belong to another database included.
  preserveState: false,
  disableAccount: true,
  instanceStorageNamespace: 'marketplace_gateway_',
  initialSettings: {
    theme: 'system',
    'schema.reloadOnStart': true,
    'alert.disableUpdateNotification': true,
    'banners.disable': true,
    disablePushNotification: true,
  },
};

/** In development a fresh token for each role; elsewhere a place to paste one. */
async function authorizationHeaders(devToken: DevToken | null): Promise<Record<string, string>> {
  const entries = Object.entries(DEMO_ACCOUNTS).map(async ([role, account]) => [
    role,
    `Bearer ${devToken ? await devToken(account) : 'PASTE-YOUR-TOKEN-HERE'}`,
  ]);
  return Object.fromEntries(await Promise.all(entries));
}

function pagePolicy(nonce: string) {
  return pageHeaders({
    baseUri: ["'self'"],
    scriptSrc: ["'self'", `'nonce-${nonce}'`],
    styleSrc: ["'self'", `'nonce-${nonce}'`],
    imgSrc: ["'self'", 'data:'],
  });
}

function assetHeaders(response: ServerResponse, path: string) {
  // Altair runs a tab's own scripts in a frame, which this keeps apart from the page and its tokens.
  if (isSandboxFrame(path)) response.setHeader('Content-Security-Policy', SANDBOX_FRAME_CSP);
}
