import { afterAll } from '@jest/globals';

const started: Promise<{ close(): Promise<void> }>[] = [];

// runTogether() imports this module before any test file, so this hook runs after the last file of a folder.
afterAll(async () => {
  for (const resource of started.splice(0)) await (await resource).close();
});

/** Shares a resource between the test files of a folder: the first file starts it, and it is closed after the last. */
export function shared<T extends { close(): Promise<void> }>(start: () => Promise<T>): () => Promise<T> {
  let resource: Promise<T> | null = null;
  return () => {
    if (!resource) {
      resource = start();
      started.push(resource);
    }
    return resource;
  };
}
