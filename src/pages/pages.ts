import express, { type RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { listingFileSchema } from '../modules/listings/listing-file.input.js';
import type { MailboxService } from '../modules/notifications/mailbox.service.js';
import type { Context } from '../operations/context.js';
import type { Handler } from '../server/routing.js';
import { StaticResponse } from '../server/static-response.js';
import { commandLineTool } from './command-line-tool.js';
import type { Site } from './frame.js';
import { home } from './home.js';
import { mailbox } from './mailbox.js';
import { notFoundPage } from './not-found.js';
import type { DevToken } from './playground.js';
import type { PresetOperation } from './playground-presets.js';
import type { PageCache } from './public-page.js';
import { reference } from './reference.js';
import { SignIn } from './sign-in.js';
import { crawlerFiles, noRobots } from './storefront/sitemap.js';
import { storefrontPages } from './storefront/storefront.js';
import { undoPage } from './undo.js';
import { web } from './web.js';

interface PagesOptions {
  config: Config;
  log: Logger;
  /** Public URL of the service. */
  publicUrl: string;
  /** Null if the service is not its own identity provider: then no page contains a token. */
  devToken: DevToken | null;
  openapi(): object;
  sdl(): string;
  operations(): readonly PresetOperation[];
  /** Protects the pages that contain tokens. */
  localOnly: Handler;
  /** The context of the operations that a page runs, as any client could. */
  contextOf: () => Context;
  /** Caches public pages. */
  cache: PageCache;
  /** The stored mails; null if mails are sent, and in production. */
  mailbox: MailboxService | null;
}

/** The HTML pages, the documents that describe the API and the listing file, and the command-line tool. */
export function pages(options: PagesOptions): express.Router {
  const { config, log, publicUrl, openapi, sdl, operations, localOnly, contextOf, cache } = options;
  const { introspection, production } = config;
  const devToken = production ? null : options.devToken;
  const site: Site = {
    base: new URL(publicUrl).pathname.replace(/\/+$/, ''),
    publicUrl,
    web: config.web,
    playground: config.playground,
    introspection,
    mailbox: options.mailbox !== null,
    production,
    isDemo: devToken !== null,
  };
  const json = (make: () => object) =>
    loadLazily(async () => new StaticResponse(JSON.stringify(make()), 'json').send);
  const router = express.Router();
  router.get('/openapi.json', json(openapi));
  if (introspection)
    router.get(
      '/schema.graphql',
      loadLazily(async () => new StaticResponse(sdl(), 'txt').send),
    );
  router.get('/listing.schema.json', json(listingFileSchema));
  router.use('/cli', commandLineTool());
  router.use('/docs', reference(site));
  router.use('/undo', undoPage(contextOf));
  const signIn = SignIn.open(config, publicUrl, log);
  if (site.playground)
    router.use(
      '/playground',
      loadLazily(async () => {
        const { playground } = await import('./playground.js');
        return playground({ site, devToken, signIn, localOnly, operations: operations() });
      }),
    );
  if (site.web) {
    const installUrl = config.portal.install;
    const storefront = storefrontPages({ site, installUrl, contextOf });
    router.use(crawlerFiles({ site, contextOf, cache }));
    router.use(web({ site, signIn, installUrl, storefront, cache }));
  } else router.use(noRobots());
  if (options.mailbox) router.use('/dev/mailbox', mailbox(site, options.mailbox));
  router.use(home(site));
  const missing = notFoundPage(site);
  router.use(missing.handler as RequestHandler, missing.errorHandler);
  return router;
}

/** Loads a page at its first request, because it is large and rarely used. */
function loadLazily(load: () => Promise<RequestHandler>): RequestHandler {
  let page: Promise<RequestHandler> | undefined;
  return async (request, response, next) => {
    page ??= load();
    (await page)(request, response, next);
  };
}
