import { requireNode } from './node-version.js';

// Before everything else is imported, which an older Node may not be able to load.
requireNode();
const { main } = await import('./worker.js');
await main(process.argv.slice(2));
