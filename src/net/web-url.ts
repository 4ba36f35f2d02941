/**
 * Parses an address, with its host in one form, so that limits, cache keys and checks see one host as one: as `URL`
 * normalises it, and without the dot that may end a name, which leads to the same server. Returns null for other texts.
 */
export function parseWebUrl(address: string | URL): URL | null {
  if (!URL.canParse(String(address))) return null;
  const url = new URL(address);
  url.hostname = url.hostname.replace(/\.$/, '');
  return url;
}

/** Returns the host of an address; IPv6 without its brackets, which `isIP` does not accept. */
export const bareHostname = ({ hostname }: Pick<URL, 'hostname'>): string =>
  hostname.replace(/^\[(.*)\]$/, '$1');

/** Returns the address of a file or page: what is after `#` stays in the browser. */
export function resourceOf(address: string): string {
  const url = parseWebUrl(address);
  if (!url) return address;
  url.hash = '';
  return url.href;
}
