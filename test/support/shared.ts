import { afterAll } from '@jest/globals';

interface Resource {
  close(): Promise<void>;
}

const started: (Resource | Promise<Resource>)[] = [];

// runTogether() imports this module before any test file, so this hook runs after the last file of a folder.
afterAll(async () => {
  for (const resource of started.splice(0)) await (await resource).close();
});

/** Closes a resource after the last test file of a folder. A helper that several files import cannot do so by a hook. */
export function closeAtEnd(resource: Resource): void {
  started.push(resource);
}

/** Shares a resource between the test files of a folder: the first file starts it, and it is closed after the last. */
export function shared<T extends Resource>(start: () => Promise<T>): () => Promise<T> {
  let resource: Promise<T> | null = null;
  return () => {
    if (!resource) {
      resource = start();
      started.push(resource);
    }
    return resource;
  };
}
