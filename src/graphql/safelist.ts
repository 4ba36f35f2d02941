import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ServiceError } from '../errors.js';
import { hashOf } from './document-cache.js';

/** The manifest that Apollo's `generate-persisted-query-manifest` writes. */
const Manifest = z.object({ operations: z.array(z.object({ body: z.string() })) });

/** The only documents that are executed if GRAPHQL_SAFELIST is set, identified by their text or its SHA-256. */
export class Safelist {
  private readonly texts: ReadonlyMap<string, string>;

  constructor(documents: readonly string[]) {
    this.texts = new Map(
      documents.flatMap((text) => [text, text.trim()].map((form) => [hashOf(form), form] as const)),
    );
  }

  /** Reads a folder of `.graphql` files, one document each, or a manifest of Apollo's clients. */
  static read(path: string): Safelist {
    if (statSync(path).isDirectory()) {
      const files = readdirSync(path).filter((file) => file.endsWith('.graphql'));
      return new Safelist(files.map((file) => readFileSync(join(path, file), 'utf8')));
    }
    const { operations } = Manifest.parse(JSON.parse(readFileSync(path, 'utf8')));
    return new Safelist(operations.map(({ body }) => body));
  }

  /** The store of persisted queries: the documents of the list, to which clients can add none. */
  get registered() {
    return {
      get: async (key: string) => this.texts.get(key.replace(/^apq:/, '')),
      set: async () => undefined,
      delete: async () => false,
    };
  }

  /** Rejects a document that is not in the list, before it is parsed. */
  check(text: string): void {
    if (this.texts.has(hashOf(text.trim()))) return;
    throw new ServiceError(
      'FORBIDDEN',
      'Only the documents of a fixed list can be run, and this one is not in the list. Send one of the list, by its text or its SHA-256.',
    );
  }
}
