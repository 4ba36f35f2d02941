import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The only range from which public IPv6 addresses are assigned. */
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** Reserved ranges within the public ones that ipaddr.js does not report. */
const reserved: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [
  // Protocol assignments: Teredo, ORCHID, benchmarking and others.
  [ipaddr.IPv6.parse('2001::'), 23],
  // 6to4, which carries an IPv4 address.
  [ipaddr.IPv6.parse('2002::'), 16],
  // Documentation.
  [ipaddr.IPv6.parse('2001:db8::'), 32],
  [ipaddr.IPv6.parse('3fff::'), 20],
  // Azure's internal platform services use this public-looking address.
  [ipaddr.IPv4.parse('168.63.129.16'), 32],
];

/** Returns true if the address is reachable from the whole internet; false when in doubt. */
export function isPublicAddress(address: string): boolean {
  // `isIP` accepts only the plain forms; a zone id refers to a network link of this machine.
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  if (reserved.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits)))
    return false;
  return parsed instanceof ipaddr.IPv4 || (parsed.match(...globalUnicast) && !isIsatap(parsed));
}

/** ISATAP embeds an IPv4 address after `0:5efe` in any network. */
const isIsatap = ({ parts }: ipaddr.IPv6) => (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe;

/** Top-level names of this machine or its own network, whatever DNS says. */
const privateDomains = new Set(['localhost', 'localdomain', 'local', 'internal', 'intranet', 'lan', 'arpa']);

/** Returns true if a name, as `URL` normalises it, may be public: at least two labels, none empty, the last one alphabetic. */
export function isPublicName(name: string): boolean {
  const labels = name.toLowerCase().replace(/\.$/, '').split('.');
  const last = labels.at(-1) ?? '';
  return (
    name.length <= 254 &&
    labels.length >= 2 &&
    labels.every((label) => /^[a-z0-9_-]{1,63}$/.test(label)) &&
    /^[a-z]/.test(last) &&
    !privateDomains.has(last)
  );
}
