import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a folder for a test; it is removed after the run, with all others. */
export const aFolder = (prefix = 'marketplace-test-'): Promise<string> => mkdtemp(join(tmpdir(), prefix));
