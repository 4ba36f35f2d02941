import type { GraphQLSchema } from 'graphql';
import type { ApiClient } from '../../support/api-client.js';
import type { Cast, Credential } from '../cast.js';
import type { Random } from './random.js';

/** The ingredients of requests. */
export interface Kit {
  cast: Cast;
  client: ApiClient;
  schema: GraphQLSchema;
}

/** A request before it is sent, and in a few words what is special about it. */
export interface Rendered {
  about: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | null;
  credential: Credential;
}

/** Makes a request that grows with `size`; `choice` counts through the variants of it, `random` settles the rest. */
export interface Recipe {
  name: string;
  variants: number;
  render(kit: Kit, choice: number, size: number, random: Random): Rendered;
}

export const json = { 'content-type': 'application/json' };
/** Longest address that fits into the headers' 16 KiB; what is longer is cut down before it is sent. */
export const maxPath = 14_000;

export const post = (about: string, body: string, credential: Credential = 'none'): Rendered => ({
  about,
  method: 'POST',
  path: '/graphql',
  headers: json,
  body,
  credential,
});
