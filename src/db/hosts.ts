import { hostUrls } from '../config/formats.js';

/** After a search without a result, the next one waits, so that requests do not flood servers that are starting. */
const SEARCH_PAUSE_MS = 250;

/** One of the servers of a URL. */
export interface DatabaseHost {
  readonly url: string;
  readonly host: string;
  readonly port: number;
}

/**
 * The servers of a URL with several hosts, of which one accepts writes: `postgresql://a:5432,b:5432/name`. Connections go to
 * the server that accepted writes last. When that is in doubt, all servers are asked at once.
 */
export class DatabaseHosts {
  private readonly hosts: readonly DatabaseHost[];
  private primary: DatabaseHost | null = null;
  private searching: Promise<DatabaseHost> | null = null;

  /** `requireWritable` rejects if a server cannot be reached or is read-only. */
  constructor(
    url: string,
    private readonly requireWritable: (url: string) => Promise<void>,
  ) {
    this.hosts = hostUrls(url).map((single) => {
      const { hostname, port } = new URL(single);
      return { url: single, host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || 5432) };
    });
  }

  /** Returns the server for the next connection. */
  async pick(): Promise<DatabaseHost> {
    if (this.primary) return this.primary;
    this.searching ??= this.search();
    return this.searching;
  }

  /** Notes that a server failed, or turned out to be read-only: before the next connection, all are asked. */
  suspect(host: DatabaseHost): void {
    if (this.primary === host) this.primary = null;
  }

  private async search(): Promise<DatabaseHost> {
    try {
      const found = await Promise.any(
        this.hosts.map(async (host) => {
          await this.requireWritable(host.url);
          return host;
        }),
      );
      this.primary = found;
      this.searching = null;
      return found;
    } catch (cause) {
      setTimeout(() => {
        this.searching = null;
      }, SEARCH_PAUSE_MS).unref();
      const names = this.hosts.map(({ host, port }) => `${host}:${port}`).join(', ');
      throw Object.assign(new Error(`None of the servers ${names} accepts writes.`, { cause }), {
        code: 'EHOSTUNREACH',
      });
    }
  }
}
