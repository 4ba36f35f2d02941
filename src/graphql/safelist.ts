import { readdirSync, readFileSync, statSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';
import { ServiceError } from '../errors.js';
import { hashOf } from './document-cache.js';

/** The manifest that Apollo's `generate-persisted-query-manifest` writes. */
const Manifest = z.object({ operations: z.array(z.object({ body: z.string() })) });

/** The documents of the pages and of the command-line tool, as they send them. Written by the build. */
const ownDocuments = join(findPackageJSON('..', import.meta.url)!, '..', 'dist', 'documents.json');

/** The only documents that are executed if GRAPHQL_SAFELIST is set, identified by their text or its SHA-256. */
export class Safelist {
  private readonly texts: ReadonlyMap<string, string>;

  constructor(documents: readonly string[]) {
    this.texts = new Map(
      documents.flatMap((text) => [text, text.trim()].map((form) => [hashOf(form), form] as const)),
    );
  }

  /**
   * Reads a folder of `.graphql` files, one document each, or a manifest of Apollo's clients. The documents of the
   * command-line tool and of the pages, if they are served, belong to the list.
   */
  static read(path: string, hasPages: boolean): Safelist {
    const { web, cli }: Record<'web' | 'cli', string[]> = JSON.parse(readFileSync(ownDocuments, 'utf8'));
    return new Safelist([...documentsIn(path), ...cli, ...(hasPages ? web : [])]);
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

function documentsIn(path: string): string[] {
  if (!statSync(path).isDirectory())
    return Manifest.parse(JSON.parse(readFileSync(path, 'utf8'))).operations.map(({ body }) => body);
  const files = readdirSync(path).filter((file) => file.endsWith('.graphql'));
  return files.map((file) => readFileSync(join(path, file), 'utf8'));
}
