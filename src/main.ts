import { useCompileCache } from './process/compile-cache.js';
import { requireNode } from './process/node-version.js';

requireNode();
// Called before all other imports, so that they come from the cache.
useCompileCache();
const { main } = await import('./process/main.js');
await main(process.argv.slice(2));
