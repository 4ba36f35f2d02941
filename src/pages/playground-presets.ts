import { readdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';

/** The role that a preset document is for. In development its tab gets a token of this role. */
export type PresetRole = 'administrator' | 'developer' | 'newcomer' | 'anyone';

/** A preset document of the playground. */
export interface PresetOperation {
  name: string;
  as: PresetRole;
  query: string;
  /** JSON for the variables pane. */
  variables?: string;
}

const ROLES: readonly string[] = ['administrator', 'developer', 'newcomer', 'anyone'] satisfies PresetRole[];

/** Reads the preset documents from `schema/operations`, in the order of the file names. */
export function loadOperations(): PresetOperation[] {
  // The root is the folder of package.json: the sources and the build are at different depths below it.
  const folder = join(findPackageJSON('..', import.meta.url)!, '..', 'schema', 'operations');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.graphql'))
    .sort()
    .map((file) => parseOperation(file, readFileSync(join(folder, file), 'utf8')));
}

/** Parses a file: `# as:` and `# variables:` lines are options of the tab, and the rest is shown in the tab. */
function parseOperation(file: string, source: string): PresetOperation {
  const as = /^# as: (.*)$/m.exec(source)?.[1] ?? 'anyone';
  if (!isRole(as)) throw new Error(`schema/operations/${file}: "# as:" must be one of ${ROLES.join(', ')}`);
  const variables = /^# variables: (.*)$/m.exec(source)?.[1];
  return {
    name: title(file),
    as,
    query: source.replaceAll(/^# (as|variables): .*\n/gm, ''),
    ...(variables ? { variables: JSON.stringify(JSON.parse(variables), null, 2) } : {}),
  };
}

/** Returns the title of a tab: "Create API key" for `33-create-api-key.graphql`. */
function title(file: string): string {
  const words = file
    .replace(/^\d+-/, '')
    .replace(/\.graphql$/, '')
    .replaceAll('-', ' ')
    .replace(/\bapi\b/, 'API');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function isRole(text: string): text is PresetRole {
  return ROLES.includes(text);
}
