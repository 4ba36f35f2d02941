import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import express from 'express';
import { LRUCache } from 'lru-cache';
import type { Config } from '../config.js';

/** Returns whether the proxy at this distance from us is trusted. */
export type Trust = (address: string, distance: number) => boolean;

/** More proxies than any TRUST_PROXY names; it bounds the time for a header of 16 KiB. */
const maxHops = 100;
const maxHopLength = 512;
const maxKnown = 1_000;

/** Compiles the setting as Express does, so that both trust the same proxies. */
export function trustOf(trustProxy: Config['trustProxy']): Trust {
  if (trustProxy === null) return () => false;
  const isTrusted = express().set('trust proxy', trustProxy).get('trust proxy fn') as Trust;
  // Nearly all requests come from the same few proxies.
  const known = new LRUCache<string, boolean>({ max: maxKnown });
  return (address, distance) => {
    const key = `${distance} ${address}`;
    const result = known.get(key) ?? isTrusted(address, distance);
    known.set(key, result);
    return result;
  };
}

/**
 * Returns the client's address. Proxies append on the right, so the header is read from there for as long as the proxies
 * are trusted. Where a trusted proxy names no address (`unknown`, `_hidden`), its own address is used. The package
 * proxy-addr reads neither ports nor `Forwarded`.
 */
export function clientAddress(request: IncomingMessage, trust: Trust): string {
  let address = request.socket.remoteAddress ?? '';
  const { 'x-forwarded-for': chain, forwarded } = request.headers;
  // X-Forwarded-For first: most proxies write it, and pass on a Forwarded that the client invented.
  const header = chain ?? forwarded;
  if (typeof header !== 'string') return address;
  let distance = 0;
  for (const hop of fromTheRight(header)) {
    if (!trust(address, distance)) break;
    const next = addressIn(chain === undefined ? forParameter(hop) : hop);
    if (next === null) break;
    address = next;
    distance += 1;
  }
  return address;
}

/** Splits at every comma, quoted or not, so that an open quote of the client does not hide what a proxy appended. */
function* fromTheRight(list: string): Generator<string> {
  let end = list.length;
  for (let hops = 0; end >= 0 && hops < maxHops; hops += 1) {
    const comma = end === 0 ? -1 : list.lastIndexOf(',', end - 1);
    const hop = list.slice(comma + 1, end).trim();
    if (hop !== '') yield hop;
    end = comma;
  }
}

const pair = /\s*([\w!#$%&'*+.^`|~-]+)=("(?:[^"\\]|\\.)*"|[^\s";,]*)\s*(?:;|$)/y;

/** Returns the value of `for` in an element of `Forwarded` (RFC 7239); empty if there is not exactly one, or any pair is malformed. */
function forParameter(element: string): string {
  if (element.length > maxHopLength) return '';
  const values: string[] = [];
  pair.lastIndex = 0;
  while (pair.lastIndex < element.length) {
    const [, name, value] = pair.exec(element) ?? [];
    if (name === undefined || value === undefined) return '';
    if (name.toLowerCase() === 'for') values.push(value);
  }
  return values.length === 1 ? values[0]! : '';
}

const quoted = /^"(.*)"$/;
const bracketed = /^\[([^\]]*)\](?::(?:\d{1,5}|_[\w.-]+))?$/;
const withPort = /^([\d.]+):(?:\d{1,5}|_[\w.-]+)$/;

/** Returns the address of `ip`, `ip:port`, `[v6]` or `[v6]:port`, quoted or not; null for anything else. */
function addressIn(node: string): string | null {
  if (node.length > maxHopLength) return null;
  const text = quoted.exec(node)?.[1]?.replaceAll('\\', '') ?? node;
  const address = (bracketed.exec(text) ?? withPort.exec(text))?.[1] ?? text;
  return isIP(address) > 0 ? address : null;
}
