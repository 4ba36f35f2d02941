// Makes Node load the code of a front end as a bundler does: imports without an extension, JSON, and the tags of Relay.
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@babel/core';

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (!/^\.{1,2}\//.test(specifier) || context.parentURL?.includes('/node_modules/'))
      return nextResolve(specifier, context);
    const file = ['', '.ts', '/index.ts']
      .map((ending) => new URL(specifier + ending, context.parentURL))
      .find((url) => /\.\w+$/.test(url.pathname) && existsSync(url));
    return nextResolve(file?.href ?? specifier, context);
  },
  load(url, context, nextLoad) {
    if (url.endsWith('.json') && !url.includes('/node_modules/')) {
      const source = `export default ${readFileSync(fileURLToPath(url), 'utf8')};`;
      return { format: 'module', source, shortCircuit: true };
    }
    const loaded = nextLoad(url, context);
    if (!url.includes('/project/relay/') || !String(loaded.source).includes('graphql`')) return loaded;
    const { code } = transformSync(String(loaded.source), {
      filename: fileURLToPath(url),
      configFile: false,
      parserOpts: { plugins: ['typescript'] },
      plugins: [['relay', { eagerEsModules: true }]],
    });
    return { ...loaded, source: code };
  },
});
