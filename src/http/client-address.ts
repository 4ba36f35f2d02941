import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';
import express from 'express';
import ipaddr from 'ipaddr.js';
import type { Config } from '../config.js';

/** Whether the hop at this distance, counted from us, is a proxy that is believed. */
export type Trust = (address: string, distance: number) => boolean;

/** Express's own reading of the setting, so that both of us believe the same proxies. */
export function trustOf(trustProxy: Config['trustProxy']): Trust {
  if (trustProxy === null) return () => false;
  return express().set('trust proxy', trustProxy).get('trust proxy fn') as Trust;
}

/** Who is at the other end: what Express calls `req.ip`, without Express. Only trusted hops are asked whom they forward for. */
export function clientAddress(request: IncomingMessage, trust: Trust): string {
  let address = request.socket.remoteAddress ?? '';
  const forwarded = request.headers['x-forwarded-for'];
  if (typeof forwarded !== 'string') return address;
  const hops = forwarded.split(',').flatMap((hop) => hop.trim() || []);
  for (let distance = 0; hops.length > 0 && trust(address, distance); distance += 1)
    address = hops.pop() ?? address;
  return address;
}

/** What to count by: an IPv4 address, or the /64 that one IPv6 customer has; all that is no address counts as one. */
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
