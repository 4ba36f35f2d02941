// As a namespace, because an older Node cannot load a module that imports what it does not have (node-version.ts).
import * as nodeModule from 'node:module';
import { join } from 'node:path';

/**
 * Lets Node keep the compiled code of the modules that are imported from now on, beside the build. Without the right to
 * write there, it compiles them at every start. Not in Node's default folder: others could write to it before us.
 */
export function useCompileCache(): void {
  nodeModule.enableCompileCache(
    join(nodeModule.findPackageJSON('..', import.meta.url) ?? '', '..', 'dist', '.compile-cache'),
  );
}

/**
 * Writes the cache. Node would do so at the end of the process, but then without the functions that ran only at the
 * start, whose code V8 has dropped by then, and not after kill -9.
 */
export function writeCompileCache(): void {
  nodeModule.flushCompileCache();
}
