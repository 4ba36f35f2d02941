import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { Agent } from 'undici';
import { FetchProblem } from './fetch-problem.js';
import { isPublicAddress, isPublicName } from './public-address.js';

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>;

export interface GuardOptions {
  /** Hosts, as `host:port`, that pass unchecked. Only the tests set this: no setting leads here. */
  allowedHosts?: readonly string[];
  resolve?: Resolve;
}

const connectTimeoutMs = 5_000;
const headersTimeoutMs = 10_000;
const keepAliveMs = 1_000;
const maxHeaderBytes = 16 * 1024;

/** Keeps what is sent on behalf of others away from everything that is not public. */
export class AddressGuard {
  private readonly allowedHosts: ReadonlySet<string>;
  private readonly resolve: Resolve;
  /** Looks a name up for a connection, and fails unless all of its addresses are public. */
  readonly lookup: LookupFunction = this.lookupOf(isPublicAddress);

  constructor({ allowedHosts = [], resolve }: GuardOptions = {}) {
    this.allowedHosts = new Set(allowedHosts);
    this.resolve = resolve ?? ((hostname) => systemLookup(hostname, { all: true }));
  }

  /** The address in its one normal form, if it may be asked at all; DNS has its say when the connection is made. */
  assertPublicUrl(address: string | URL): URL {
    if (!URL.canParse(String(address))) throw new FetchProblem('invalid_url', 'It is not a web address.');
    const url = new URL(address);
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw new FetchProblem('invalid_url', 'Only http and https addresses are fetched.');
    if (url.username || url.password)
      throw new FetchProblem('invalid_url', 'An address must not contain a user name or password.');
    if (this.allowedHosts.has(hostAndPort(url))) return url;
    if (!isFetchablePort(url.port))
      throw new FetchProblem('not_public', `Port ${url.port} is not one that web servers use.`);
    if (!isPublicHost(bare(url.hostname)))
      throw new FetchProblem('not_public', 'It does not name a host on the public internet.');
    return url;
  }

  /**
   * A dispatcher that connects to public addresses only, whoever uses it and however.
   * A name is looked up once for a connection, and the connection goes to the very addresses that were checked.
   * What it is made of is loaded here: it is large, and most gateways never fetch anything.
   */
  async agent(): Promise<Agent> {
    const { Agent, buildConnector } = await import('undici');
    const options = { allowH2: false, timeout: connectTimeoutMs } as const;
    const open = buildConnector({ ...options, lookup: this.lookupOf(() => true) });
    const openPublic = buildConnector({ ...options, lookup: this.lookup });
    return new Agent({
      connect: (target, callback) => {
        if (this.allowedHosts.has(hostAndPort(target))) return open(target, callback);
        // Nobody looks an IP address up, so the guard of lookups never sees it.
        if (isPublicHost(bare(target.hostname))) return openPublic(target, callback);
        queueMicrotask(() => callback(noPublicHost(target.hostname), null));
      },
      allowH2: false,
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: headersTimeoutMs,
      bodyTimeout: headersTimeoutMs,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
    });
  }

  /** One address that does not pass spoils the whole answer: a public host has no business with it. */
  private lookupOf(passes: (address: string) => boolean): LookupFunction {
    return (hostname, { all }, callback) => {
      this.resolve(hostname).then(
        (addresses) => {
          const [first] = addresses;
          if (!first || !addresses.every(({ address }) => passes(address)))
            callback(noPublicHost(hostname), []);
          else if (all) callback(null, addresses);
          else callback(null, first.address, first.family);
        },
        (cause: unknown) => callback(noPublicHost(hostname, cause), []),
      );
    };
  }
}

const noPublicHost = (hostname: string, cause?: unknown) =>
  new FetchProblem('unreachable', `${hostname} has no public address.`, { cause });

const isPublicHost = (hostname: string) =>
  isIP(hostname) ? isPublicAddress(hostname) : isPublicName(hostname);

/** An IPv6 address as `isIP` knows it. */
const bare = (hostname: string) => hostname.replace(/^\[(.*)\]$/, '$1');

const hostAndPort = ({ hostname, protocol, port }: { hostname: string; protocol: string; port: string }) =>
  `${bare(hostname)}:${port || (protocol === 'https:' ? 443 : 80)}`;

/** The web's own ports, and those that anybody may listen on: never mail, remote shells or directories. */
const isFetchablePort = (port: string) =>
  port === '' || port === '80' || port === '443' || Number(port) >= 1024;
