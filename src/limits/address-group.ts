import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Returns the group by which an address is counted: an IPv4 address, or the /64 network of an IPv6 address; `unknown` for anything else. */
export function addressGroup(address: string): string {
  if (isIPv4(address)) return address;
  if (!ipaddr.IPv6.isValid(address)) return 'unknown';
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
