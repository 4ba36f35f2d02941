import { readdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';

/** The role that a preset document is for. In development its tab gets a token of this role. */
export type PresetRole = 'administrator' | 'developer' | 'newcomer' | 'anyone';

/** The groups of the documents, in the order in which the playground shows those of one role. */
const GROUPS = [
  'Catalog',
  'Reference',
  'Account',
  'Apps',
  'Review of your apps',
  'Versions',
  'API keys',
  'Profile',
  'Webhooks and events',
  'Review',
  'Listed apps',
  'Developers',
  'Ratings',
  'Notifications',
  'Audit log',
  'Other',
] as const;
type PresetGroup = (typeof GROUPS)[number];

/** A preset document of the playground. */
export interface PresetOperation {
  name: string;
  as: PresetRole;
  group: PresetGroup;
  /** True if its tab is open at the first visit; *Find an operation* opens the others. */
  opensAtFirst: boolean;
  query: string;
  /** JSON for the variables pane. */
  variables?: string;
}

const ROLES: readonly PresetRole[] = ['administrator', 'developer', 'newcomer', 'anyone'];

/** Reads the preset documents from `schema/operations`, ordered by their groups and then by their file names. */
export function loadOperations(): PresetOperation[] {
  // The root is the folder of package.json: the sources and the build are at different depths below it.
  const folder = join(findPackageJSON('..', import.meta.url)!, '..', 'schema', 'operations');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.graphql'))
    .sort()
    .map((file) => parseOperation(file, readFileSync(join(folder, file), 'utf8')))
    .sort((a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group));
}

/** Parses a file: the lines `# as:`, `# group:`, `# opens:` and `# variables:` are options of the tab, and the rest is shown in it. */
function parseOperation(file: string, source: string): PresetOperation {
  const option = (name: string) => new RegExp(`^# ${name}: (.*)$`, 'm').exec(source)?.[1];
  const variables = option('variables');
  return {
    name: title(file),
    as: oneOf(ROLES, option('as') ?? 'anyone', `schema/operations/${file}: "# as:"`),
    group: oneOf(GROUPS, option('group') ?? 'Other', `schema/operations/${file}: "# group:"`),
    opensAtFirst: option('opens') === 'at first',
    query: source.replaceAll(/^# (as|group|opens|variables): .*\n/gm, ''),
    ...(variables ? { variables: JSON.stringify(JSON.parse(variables), null, 2) } : {}),
  };
}

/** Returns the title of a tab: "Create API key" for `242-create-api-key.graphql`. */
function title(file: string): string {
  const words = file
    .replace(/^\d+-/, '')
    .replace(/\.graphql$/, '')
    .replaceAll('-', ' ')
    .replace(/\bapi\b/, 'API')
    .replace(/\bi\b/, 'I');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function oneOf<T extends string>(values: readonly T[], given: string, where: string): T {
  const found = values.find((value) => value === given);
  if (found === undefined) throw new Error(`${where} must be one of ${values.join(', ')}`);
  return found;
}
