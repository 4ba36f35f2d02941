import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The folder of the front ends that are made of the examples. */
export const project = join(import.meta.dirname, 'project');

/** Writes the examples of docs/frontend.md to the files that they name, those of Relay in a project of their own. */
export async function writeExamples(gatewayUrl: string): Promise<void> {
  await rm(project, { recursive: true, force: true });
  const examples = examplesIn(await readFile('docs/frontend.md', 'utf8'));
  for (const { path, text } of examples) {
    await mkdir(dirname(join(project, path)), { recursive: true });
    await writeFile(join(project, path), text.replaceAll('http://127.0.0.1:4000', gatewayUrl));
  }
}

/** Returns the code blocks. Each names its file in its first line, such as `// src/apollo.ts`, unless it is JSON. */
function examplesIn(document: string): { path: string; text: string }[] {
  const sections = document.split(/^## /m);
  const examples = sections.flatMap((section) =>
    [...section.matchAll(/^```(ts|json)\n([\s\S]*?)^```$/gm)].map(([, language, text = '']) => {
      const file = language === 'json' ? 'relay.config.json' : /^\/\/ (\S+\.ts)\n/.exec(text)?.[1];
      if (!file)
        throw new Error(`This example of docs/frontend.md names no file in its first line:\n${text}`);
      return { path: `${section.startsWith('Relay\n') ? 'relay' : 'app'}/${file}`, text };
    }),
  );
  const session = examples.find(({ path }) => path === 'app/src/session.ts');
  if (!session) throw new Error('docs/frontend.md has no src/session.ts.');
  return [...examples, { ...session, path: 'relay/src/session.ts' }];
}
