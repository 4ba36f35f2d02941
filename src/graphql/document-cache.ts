import { createHash } from 'node:crypto';
import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/** How Apollo asks for something that it keeps. */
interface Cache<T> {
  get(key: string): Promise<T | undefined>;
  set(key: string, value: T): Promise<void>;
  delete(key: string): Promise<boolean>;
}

/** A parsed document takes up to 240 times the room of its text: about 250 documents of usual size, and 30 MB at worst. */
const maxDocumentCharacters = 128 * 1024;
const maxTextCharacters = 2 * 1024 * 1024;

/** Documents that were parsed and found valid, so that neither is done again; those asked for least recently go first. */
export const validDocuments = (): Cache<DocumentNode> =>
  bounded(maxDocumentCharacters, (document) => document.loc?.end ?? maxDocumentCharacters);

/** Texts that clients have registered by their hash (automatic persisted queries). */
export const registeredTexts = (): Cache<string> => bounded(maxTextCharacters, (text) => text.length);

function bounded<T extends {}>(maxSize: number, sizeOf: (value: T) => number): Cache<T> {
  const cache = new LRUCache<string, T>({ maxSize, sizeCalculation: (value) => Math.max(1, sizeOf(value)) });
  return {
    get: async (key) => cache.get(key),
    set: async (key, value) => void cache.set(key, value),
    delete: async (key) => cache.delete(key),
  };
}

/** The hash by which clients name a document. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
