// Builds everything that a start needs: the programs in dist/src, the pages in dist/web, the command-line tool in dist/cli
// and the documents of both. With --source-maps `node --enable-source-maps` shows the lines of the sources.
await Promise.all(['server', 'web', 'cli', 'documents'].map((part) => import(`./build-${part}.mjs`)));
