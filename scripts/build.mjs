// Builds everything that a start needs: the programs in dist/src and the pages in dist/web. With --source-maps
// `node --enable-source-maps` shows the lines of the sources.
await Promise.all([import('./build-server.mjs'), import('./build-web.mjs')]);
