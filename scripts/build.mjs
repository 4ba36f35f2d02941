// Builds everything that a start needs: the programs in dist/src, the pages in dist/web and the command-line tool in
// dist/cli. With --source-maps
// `node --enable-source-maps` shows the lines of the sources.
await Promise.all([import('./build-server.mjs'), import('./build-web.mjs'), import('./build-cli.mjs')]);
