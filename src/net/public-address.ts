import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** IPv6 hands out addresses to the public from here alone. */
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** What is set aside within the public ranges, and what ipaddr.js does not name. */
const setAside: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [
  // Protocol assignments: Teredo, ORCHID, benchmarking and others.
  [ipaddr.IPv6.parse('2001::'), 23],
  // 6to4, which carries an IPv4 address.
  [ipaddr.IPv6.parse('2002::'), 16],
  // Documentation.
  [ipaddr.IPv6.parse('2001:db8::'), 32],
  [ipaddr.IPv6.parse('3fff::'), 20],
  // Azure's platform services answer at this public-looking address from inside.
  [ipaddr.IPv4.parse('168.63.129.16'), 32],
];

/** Whether anybody on the internet would reach the same machine at this address. When in doubt, no. */
export function isPublicAddress(address: string): boolean {
  // `isIP` takes only the plain forms; a zone id names one of this machine's own links.
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  if (setAside.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits)))
    return false;
  return parsed instanceof ipaddr.IPv4 || (parsed.match(...globalUnicast) && !isIsatap(parsed));
}

/** ISATAP hides an IPv4 address behind `0:5efe` in any network. */
const isIsatap = ({ parts }: ipaddr.IPv6) => (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe;

/** Names that mean this machine, or something in its own network, whatever DNS says. */
const innerDomains = new Set(['localhost', 'localdomain', 'local', 'internal', 'intranet', 'lan', 'arpa']);

/** Whether a name, as `URL` normalizes it, could be a public host's: at least two labels, none of them empty, the last a word. */
export function isPublicName(name: string): boolean {
  const labels = name.toLowerCase().replace(/\.$/, '').split('.');
  const last = labels.at(-1) ?? '';
  return (
    name.length <= 254 &&
    labels.length >= 2 &&
    labels.every((label) => /^[a-z0-9_-]{1,63}$/.test(label)) &&
    /^[a-z]/.test(last) &&
    !innerDomains.has(last)
  );
}
