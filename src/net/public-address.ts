import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A network address and the length of its prefix in bits. */
export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** The only range from which public IPv6 addresses are assigned. */
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** Reserved ranges within the public ones that ipaddr.js does not report. */
const reserved: Network[] = [
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
  if (isIn(parsed, reserved)) return false;
  return parsed instanceof ipaddr.IPv4 || (parsed.match(...globalUnicast) && !isIsatap(parsed));
}

/** Returns true if the address is in one of the networks. An IPv4 address that is written as IPv6 is not. */
export const isWithin = (address: string, networks: readonly Network[]): boolean =>
  isIP(address) > 0 && !address.includes('%') && isIn(ipaddr.parse(address), networks);

const isIn = (address: ipaddr.IPv4 | ipaddr.IPv6, networks: readonly Network[]): boolean =>
  networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));

/** Parses CIDR notation, such as `10.20.0.0/16`. */
export const parseNetwork = (cidr: string): Network => ipaddr.parseCIDR(cidr);

/** ISATAP embeds an IPv4 address after `0:5efe` in any network. */
const isIsatap = ({ parts }: ipaddr.IPv6) => (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe;

/** Returns true if a host, as `parseWebUrl` normalises it, is this machine: `localhost` or a loopback address. */
export const isLoopback = (host: string): boolean =>
  isIP(host) > 0 ? ipaddr.parse(host).range() === 'loopback' : isLoopbackName(host);

/** Returns true if a name stands for this machine. */
const isLoopbackName = (name: string) => /(^|\.)localhost$/i.test(name);

/** Returns true if a name that is not public can lead into one of the networks: `localhost` only to loopback addresses, all others elsewhere. */
export const isNameWithin = (name: string, networks: readonly Network[]): boolean =>
  networks.some(([network]) => (network.range() === 'loopback') === isLoopbackName(name));

/** Top-level names of this machine or its own network, whatever DNS says. */
const privateDomains = new Set([
  ...['localhost', 'localdomain', 'local', 'internal', 'intranet', 'lan', 'arpa'],
  // Never delegated, and used inside companies, homes and clusters.
  ...['home', 'corp', 'private', 'svc'],
]);

/** Returns true if a name, as `parseWebUrl` normalises it, may be public: at least two labels, none empty, the last one alphabetic. */
export function isPublicName(name: string): boolean {
  const labels = name.toLowerCase().split('.');
  const last = labels.at(-1) ?? '';
  return (
    name.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => /^[a-z0-9_-]{1,63}$/.test(label)) &&
    /^[a-z]/.test(last) &&
    !privateDomains.has(last)
  );
}
