import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { Agent } from 'undici';
import { FetchProblem } from './fetch-problem.js';
import {
  isNameWithin,
  isPublicAddress,
  isPublicName,
  isWithin,
  type Network,
  parseNetwork,
} from './public-address.js';
import { bareHostname, parseWebUrl } from './web-url.js';

/** Resolves a host name to all of its addresses. */
export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>;

export interface GuardOptions {
  /** Hosts, as `host:port`, that are not checked. Only the tests set this; there is no such setting. */
  allowedHosts?: readonly string[];
  /** Networks, such as `10.20.0.0/16`, that may be reached although they are not public. */
  allowedNetworks?: readonly string[];
  resolve?: Resolve;
}

const connectTimeoutMs = 5_000;
const keepAliveMs = 1_000;
const maxHeaderBytes = 16 * 1024;

/** Prevents server-side request forgery: requests to addresses that others chose may reach public hosts and allowed networks only. */
export class AddressGuard {
  private readonly allowedHosts: ReadonlySet<string>;
  private readonly allowedNetworks: readonly Network[];
  private readonly resolve: Resolve;
  /** Resolves a name for a connection; fails unless all of its addresses may be reached. */
  readonly lookup: LookupFunction = this.lookupOf((address) => this.mayReachAddress(address));

  constructor({ allowedHosts = [], allowedNetworks = [], resolve }: GuardOptions = {}) {
    this.allowedHosts = new Set(allowedHosts);
    this.allowedNetworks = allowedNetworks.map(parseNetwork);
    this.resolve = resolve ?? ((hostname) => systemLookup(hostname, { all: true }));
  }

  /** Returns the normalised URL, or throws if it must not be fetched. The name is resolved and checked on connection. */
  assertPublicUrl(address: string | URL): URL {
    const url = parseWebUrl(address);
    if (!url) throw new FetchProblem('invalid_url', 'It is not a web address.');
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw new FetchProblem('invalid_url', 'Only http and https addresses are fetched.');
    if (url.username || url.password)
      throw new FetchProblem('invalid_url', 'An address must not contain a user name or password.');
    if (this.allowedHosts.has(hostAndPort(url))) return url;
    if (!isFetchablePort(url.port))
      throw new FetchProblem('not_public', `Port ${url.port} is not one that web servers use.`);
    if (!this.mayReach(bareHostname(url)))
      throw new FetchProblem('not_public', 'It does not name a host on the public internet.');
    return url;
  }

  /**
   * Creates a dispatcher that connects only to addresses that may be reached. A name is resolved once per connection, and the
   * connection uses the addresses that were checked, so a changing DNS record cannot bypass the check. undici is
   * imported here because it is large and most gateways never fetch anything.
   */
  async agent(): Promise<Agent> {
    const { Agent, buildConnector } = await import('undici');
    const options = { allowH2: false, timeout: connectTimeoutMs } as const;
    const open = buildConnector({ ...options, lookup: this.lookupOf(() => true) });
    const openPublic = buildConnector({ ...options, lookup: this.lookup });
    return new Agent({
      connect: (target, callback) => {
        if (this.allowedHosts.has(hostAndPort(target))) return open(target, callback);
        // IP addresses are not resolved, so `lookup` never checks them.
        if (this.mayReach(bareHostname(target))) return openPublic(target, callback);
        queueMicrotask(() => callback(noPublicHost(target.hostname), null));
      },
      allowH2: false,
      maxHeaderSize: maxHeaderBytes,
      // Each fetch has a timeout of its own, which covers headers and body.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
    });
  }

  private mayReach(hostname: string): boolean {
    return isIP(hostname)
      ? this.mayReachAddress(hostname)
      : isPublicName(hostname) || isNameWithin(hostname, this.allowedNetworks);
  }

  private mayReachAddress(address: string): boolean {
    return isPublicAddress(address) || isWithin(address, this.allowedNetworks);
  }

  /** Fails if any of the addresses does not pass: a public host has no private ones. */
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
  new FetchProblem('unreachable', `The host ${hostname} has no public address.`, { cause });

/** Returns the form of `allowedHosts`: the host name and the port. */
export const hostAndPort = ({
  hostname,
  protocol,
  port,
}: {
  hostname: string;
  protocol: string;
  port: string;
}) => `${bareHostname({ hostname })}:${port || (protocol === 'https:' ? 443 : 80)}`;

/** Allows the ports of the web and the unprivileged ones, and so excludes mail, remote shells and directories. */
const isFetchablePort = (port: string) =>
  port === '' || port === '80' || port === '443' || Number(port) >= 1024;
