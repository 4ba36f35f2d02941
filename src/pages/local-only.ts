import type { IncomingMessage } from 'node:http';
import type { Config } from '../config.js';
import { errorStatus, ServiceError } from '../errors.js';
import { hostnameOf } from '../server/cross-site.js';
import { loopbackHostname } from '../server/origins.js';
import { currentRequest } from '../server/request-context.js';
import { respond } from '../server/respond.js';
import type { Handler } from '../server/routing.js';
import { ownPage } from './document.js';
import { HOME_CSS } from './home.css.js';

/** Addresses that mean every interface. They are not names of this machine. */
const wildcards = new Set(['0.0.0.0', '[::]']);

/**
 * Protects what is served in development only: tokens, mails, metrics (D102). The Host header must name this machine, which
 * prevents DNS rebinding, and the request must not come from a page of another site.
 */
export class LocalOnly {
  private readonly hostnames: ReadonlySet<string | null>;

  constructor(
    { host }: Pick<Config, 'host'>,
    private readonly publicUrl: string,
  ) {
    const listened = hostnameOf(host.includes(':') ? `[${host}]` : host);
    this.hostnames = new Set(
      [publicUrl, listened ?? ''].map(hostnameOf).filter((name) => !wildcards.has(name ?? '')),
    );
  }

  allows(request: IncomingMessage): boolean {
    return this.namesThisMachine(request) && !isFromElsewhere(request) && this.isOwnOrigin(request);
  }

  /** Protects what contains no secrets, so that pages of other ports may load it: only the Host header is checked (D200). */
  readonly hostGuard: Handler = (request, _response, next) => {
    if (!this.namesThisMachine(request)) throw new ServiceError('FORBIDDEN', this.wrongHost);
    next();
  };

  readonly guard: Handler = (request, _response, next) => {
    if (this.allows(request)) return next();
    if (!this.namesThisMachine(request)) throw new ServiceError('FORBIDDEN', this.wrongHost);
    if (!isNavigation(request)) throw new ServiceError('FORBIDDEN', this.wrongSite);
    // The user followed a link, for example in a mail. Show a page with a link of our own, which is allowed.
    const context = currentRequest();
    context.code = 'FORBIDDEN';
    respond(context, otherSitePage);
  };

  private namesThisMachine({ headers }: IncomingMessage): boolean {
    return this.isOwn(hostnameOf(headers.host));
  }

  private isOwnOrigin({ headers }: IncomingMessage): boolean {
    return headers.origin === undefined || this.isOwn(hostnameOf(headers.origin));
  }

  private isOwn(hostname: string | null): boolean {
    return hostname !== null && (loopbackHostname.test(hostname) || this.hostnames.has(hostname));
  }

  private get wrongHost(): string {
    return `This is available in development only, and only with localhost or the host of PUBLIC_URL as the host name. Use ${this.publicUrl}, or set PUBLIC_URL to the URL that you use.`;
  }

  private get wrongSite(): string {
    return `This is available in development only, and not to pages of other sites. Open ${this.publicUrl} directly, or send the request from a terminal.`;
  }
}

/** Returns whether a browser marks the request as another site's. A CORS preflight always counts as one. */
const isFromElsewhere = ({ headers }: IncomingMessage) =>
  !['same-origin', 'none', undefined].includes(headers['sec-fetch-site'] as string | undefined) ||
  headers['access-control-request-method'] !== undefined;

const isNavigation = ({ method, headers }: IncomingMessage) =>
  method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';

const otherSitePage = ownPage(
  {
    title: 'Marketplace gateway',
    css: HOME_CSS,
    body: `<h1>This link came from another site</h1>
  <p class="lead">Development pages contain tokens and e-mails, so links of other sites cannot open them directly.</p>
  <p class="buttons"><a class="button first" href="">Open this page</a></p>`,
  },
  'no-store',
  errorStatus.FORBIDDEN,
);
