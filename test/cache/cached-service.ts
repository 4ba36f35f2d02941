import type { Client } from 'pg';
import type { AppJson, Developer } from '../support/actors.js';
import { connectTo } from '../support/database.js';
import { DatabaseLine } from '../support/database-line.js';
import { until } from '../support/mail-server.js';
import { type RawRequest, type RawResponse, sendRequest, trackCacheHit } from '../support/send-request.js';
import { type Service, startService } from '../support/service.js';

export const allowedOrigin = 'https://tasks.example';
export const listDocument = '{ browseApps(limit: 100) { apps { slug name featured developer { name } } } }';

/** A service with two public apps, whose connection to the database can be interrupted. */
export class CachedService {
  private constructor(
    readonly service: Service,
    readonly line: DatabaseLine,
    /** A connection that changes the database without the service. */
    readonly otherClient: Client,
    readonly developer: Developer,
    readonly app: AppJson,
  ) {}

  static async start(): Promise<CachedService> {
    let line: DatabaseLine | undefined;
    const service = await startService({ CORS_ORIGINS: allowedOrigin }, undefined, {
      countsLagMs: 400,
      databaseVia: async (url) => {
        line = await DatabaseLine.to(url);
        return line.url;
      },
    });
    const otherClient = await connectTo(service.databaseUrl);
    const developer = await service.aDeveloper();
    const app = await service.anApp(developer, 'APPROVED');
    await service.anApp(developer, 'APPROVED');
    return new CachedService(service, line!, otherClient, developer, app);
  }

  async close(): Promise<void> {
    await this.otherClient.end();
    await this.service.close();
    await this.line.cut();
  }

  get catalog() {
    return this.service.cache.catalog;
  }

  /** Waits until the service certainly notices changes of the catalog, or certainly does not. */
  async untilListening(isListening = true): Promise<void> {
    await until(
      () => this.catalog.isKnown() === isListening,
      () => `the service does ${isListening ? 'not ' : ''}notice changes`,
    );
  }

  send(request: RawRequest): Promise<RawResponse> {
    return sendRequest(this.service.url, request);
  }

  /** Returns whether the response was cached, and the response. */
  sendAndTrack(request: RawRequest): Promise<[boolean, RawResponse]> {
    return trackCacheHit(this.service.cache, () => this.send(request));
  }

  /** Sends a request until its response is cached: the notification of an earlier change may still be on its way. */
  async sendUntilCached(request: RawRequest): Promise<RawResponse> {
    let cached: RawResponse | undefined;
    await until(
      async () => {
        const [wasCached, response] = await this.sendAndTrack(request);
        if (wasCached) cached = response;
        return wasCached;
      },
      () => `the response is not cached: ${request.path}`,
    );
    return cached!;
  }
}
