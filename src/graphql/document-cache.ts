import { hash } from 'node:crypto';
import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/** The cache interface of Apollo. */
interface ApolloCache<T> {
  get(key: string): Promise<T | undefined>;
  set(key: string, value: T): Promise<void>;
  delete(key: string): Promise<boolean>;
}

/** A parsed document takes up to 240 times the memory of its text: about 250 usual documents, 30 MB at worst. */
const maxDocumentCharacters = 128 * 1024;
const maxTextCharacters = 2 * 1024 * 1024;

/** Caches parsed and validated documents. */
export class DocumentStore implements ApolloCache<DocumentNode> {
  private readonly documents = bounded<DocumentNode>(
    maxDocumentCharacters,
    (document) => document.loc?.end ?? maxDocumentCharacters,
  );

  has(text: string): boolean {
    return this.documents.get(hashOf(text)) !== undefined;
  }

  async get(key: string) {
    return this.documents.get(withoutPrefix(key));
  }

  async set(key: string, document: DocumentNode) {
    this.documents.set(withoutPrefix(key), document);
  }

  async delete(key: string) {
    return this.documents.delete(withoutPrefix(key));
  }
}

/** Apollo prefixes the document's hash with the schema's; there is only one schema. */
const withoutPrefix = (key: string) => key.slice(-64);

/** Creates the store of automatic persisted queries: documents that clients have registered by their hash. */
export function registeredTexts(): ApolloCache<string> {
  const texts = bounded<string>(maxTextCharacters, (text) => text.length);
  return {
    get: async (key) => texts.get(key),
    set: async (key, text) => void texts.set(key, text),
    delete: async (key) => texts.delete(key),
  };
}

const bounded = <T extends {}>(maxSize: number, sizeOf: (value: T) => number) =>
  new LRUCache<string, T>({ maxSize, sizeCalculation: (value) => Math.max(1, sizeOf(value)) });

/** Returns the hash that identifies a persisted query. */
export const hashOf = (text: string): string => hash('sha256', text);
