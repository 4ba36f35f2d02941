import { useCompileCache } from './process/compile-cache.js';
import { requireNode } from './process/node-version.js';

requireNode();
// Before everything else is imported, which then comes from the cache.
useCompileCache();
const { main } = await import('./process/main.js');
await main(process.argv.slice(2));
