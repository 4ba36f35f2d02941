import express, { type RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { listingFileSchema } from '../modules/listings/listing-file.input.js';
import type { Context } from '../operations/context.js';
import type { Handler } from '../server/routing.js';
import { StaticResponse } from '../server/static-response.js';
import { commandLineTool } from './command-line-tool.js';
import { frame } from './frame.js';
import { home } from './home.js';
import { type Mailbox, mailbox } from './mailbox.js';
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
  mailbox: Mailbox | null;
}

/** The HTML pages, the documents that describe the API and the listing file, and the command-line tool. */
export function pages(options: PagesOptions): express.Router {
  const { config, log, publicUrl, openapi, sdl, operations, localOnly } = options;
  const base = new URL(publicUrl).pathname.replace(/\/+$/, '');
  const devToken = config.production ? null : options.devToken;
  const router = express.Router();
  router.get(
    '/openapi.json',
    loadLazily(async () => new StaticResponse(JSON.stringify(openapi()), 'json').send),
  );
  if (config.introspection)
    router.get(
      '/schema.graphql',
      loadLazily(async () => new StaticResponse(sdl(), 'txt').send),
    );
  router.get(
    '/listing.schema.json',
    loadLazily(async () => new StaticResponse(JSON.stringify(listingFileSchema()), 'json').send),
  );
  router.use('/cli', commandLineTool());
  const framed = frame({
    base,
    web: config.web,
    playground: config.playground,
    mailbox: options.mailbox !== null,
  });
  router.use('/docs', reference({ base, frame: framed }));
  router.use('/undo', undoPage(options.contextOf));
  const { introspection, production } = config;
  const signIn = SignIn.open(config, publicUrl, log);
  if (config.playground) {
    router.use(
      '/playground',
      loadLazily(async () => {
        const { playground } = await import('./playground.js');
        return playground({
          ...{ base, introspection, devToken, signIn, localOnly },
          operations: operations(),
          frame: framed,
        });
      }),
    );
  }
  if (config.web) {
    const { contextOf, cache } = options;
    const installUrl = config.portal.install;
    const storefront = storefrontPages({ base, publicUrl, installUrl, contextOf });
    const isDemo = devToken !== null;
    router.use(crawlerFiles({ base, publicUrl, contextOf, cache }));
    router.use(web({ base, publicUrl, production, isDemo, signIn, installUrl, storefront, cache }));
  } else router.use(noRobots());
  if (options.mailbox) router.use('/dev/mailbox', mailbox({ base, mails: options.mailbox, frame: framed }));
  router.use(
    home({
      base,
      publicUrl,
      web: config.web,
      playground: config.playground,
      introspection,
      demo: devToken !== null,
      mailbox: options.mailbox !== null,
      frame: framed,
    }),
  );
  const missing = notFoundPage({ base, web: config.web, frame: framed });
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
