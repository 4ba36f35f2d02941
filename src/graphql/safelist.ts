import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ServiceError } from '../errors.js';
import { hashOf } from './document-cache.js';

/** What `generate-persisted-query-manifest` of Apollo's clients writes. */
const Manifest = z.object({ operations: z.array(z.object({ body: z.string() })) });

/** The only documents that are run, where a setting says so: by their text or by its SHA-256. */
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

  /** In place of what clients register: the hashes of the list are known from the start, and no other. */
  get registered() {
    return {
      get: async (key: string) => this.texts.get(key.replace(/^apq:/, '')),
      set: async () => undefined,
      delete: async () => false,
    };
  }

  /** Rejects any other text before it is parsed. */
  check(text: string): void {
    if (this.texts.has(hashOf(text.trim()))) return;
    throw new ServiceError(
      'FORBIDDEN',
      'Only the documents of a fixed list are run here, and this is none of them. Send one of the list, by its text or its SHA-256.',
    );
  }
}
