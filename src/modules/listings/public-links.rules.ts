import { isIP } from 'node:net';
import type { ErrorDetail } from '../../errors.js';
import { hostAndPort } from '../../net/address-guard.js';
import { isLoopback, isPublicName } from '../../net/public-address.js';
import { bareHostname, parseWebUrl } from '../../net/web-url.js';
import { type Finding, Severity } from './finding.types.js';
import type { Listing } from './listing.entity.js';
import { listingOf } from './listing-change.rules.js';

const rule = 'must name a public host, such as example.com: no IP address, no localhost, no private network';

/**
 * Rejects URLs whose host is an IP address, a name of this machine or of a private network, or has no dot (D354): the
 * browsers of reviewers and users load them, inside their own networks. Where a public name leads is checked when it is
 * fetched.
 */
export class PublicLinks {
  /** This machine, in development only. */
  private readonly ownHost: string | null;

  constructor({ production }: { production: boolean }, publicUrl: string) {
    this.ownHost = production ? null : hostAndPort(new URL(publicUrl));
  }

  /** Returns the problems of the URLs in an input: of fields named `url` or `…Url`, at any depth. */
  problemsOf(input: object): ErrorDetail[] {
    return urlsIn(input)
      .filter(([, url]) => !this.isPublic(url))
      .map(([path, url]) => {
        const field = path.join('.');
        return {
          field,
          code: 'not_public',
          message: `${path.at(-1)} ${rule} (it names ${bareHostname(parseWebUrl(url)!)}).`,
        };
      });
  }

  /** Returns the problems of a stored listing, which block its submission: they may be older than the rule. */
  findings(listing: Listing): Finding[] {
    return this.problemsOf(listingOf(listing)).map(({ field, message }) => ({
      field,
      severity: Severity.ERROR,
      code: 'not_public',
      message,
      fix: 'Use a URL that anyone on the internet can open without signing in.',
    }));
  }

  private isPublic(address: string): boolean {
    const url = parseWebUrl(address)!;
    const host = bareHostname(url);
    if (this.ownHost !== null && (isLoopback(host) || hostAndPort(url) === this.ownHost)) return true;
    return isIP(host) === 0 && isPublicName(host);
  }
}

/** Lists the URLs in a value, with their paths. A stored value that is not a URL breaks another rule. */
function urlsIn(value: unknown, path: readonly string[] = []): [string[], string][] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => urlsIn(inner, [...path, key]));
  const isUrl = typeof value === 'string' && /^url$|Url$/.test(path.at(-1) ?? '') && URL.canParse(value);
  return isUrl ? [[[...path], value]] : [];
}
