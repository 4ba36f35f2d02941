import { readdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';

/** Who runs a preset document: it decides the credential that its tab gets in development. */
export type Role = 'administrator' | 'developer' | 'newcomer' | 'anyone';

/** A preset document of the playground. */
export interface PresetOperation {
  name: string;
  as: Role;
  query: string;
  /** JSON, ready for the variables pane. */
  variables?: string;
}

const ROLES: readonly string[] = ['administrator', 'developer', 'newcomer', 'anyone'] satisfies Role[];

/** Reads `schema/operations`, in the order of the file names. */
export function loadOperations(): PresetOperation[] {
  // The sources and the build lie at different depths, so the root is where package.json is.
  const folder = join(findPackageJSON('..', import.meta.url)!, '..', 'schema', 'operations');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.graphql'))
    .sort()
    .map((file) => parseOperation(file, readFileSync(join(folder, file), 'utf8')));
}

/** A file is a document whose `# as:` and `# variables:` lines are for us; the tab shows all the rest. */
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

/** `32-create-api-key.graphql` is the tab "Create API key". */
function title(file: string): string {
  const words = file
    .replace(/^\d+-/, '')
    .replace(/\.graphql$/, '')
    .replaceAll('-', ' ')
    .replace(/\bapi\b/, 'API');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function isRole(text: string): text is Role {
  return ROLES.includes(text);
}
