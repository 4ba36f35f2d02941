import type { CommandContext } from '../context.js';
import { differences, isGiven, requireSameEnvironment } from '../difference.js';
import { exitCodes } from '../failure.js';
import { countOf, ListingFile, listingFields } from '../listing-file.js';
import { printChanges } from '../report.js';
import { readApp, workOf } from '../target.js';
import { findByName } from './push.js';

/** Shows what a push would change. */
export async function diff(context: CommandContext): Promise<number> {
  const { output } = context;
  const file = ListingFile.read(context.path);
  const api = context.api(file.content.app);
  const slug = file.content.app ?? (await findByName(api, file));
  if (slug === null) {
    const wanted = file.fields();
    const changes = listingFields
      .filter((field) => isGiven(wanted[field]))
      .map((field) => ({ field, before: null, after: wanted[field] }));
    output.json({ ok: true, command: 'diff', app: null, target: 'NEW_APP', revision: null, changes });
    output.line('A push would create a new app.');
    printChanges(output, changes);
    return exitCodes.done;
  }
  const app = await readApp(api, slug);
  requireSameEnvironment(file, app);
  const work = workOf(app);
  const changes = differences(file.fields(), work);
  const target = app.openVersion ? 'VERSION' : app.status === 'APPROVED' ? 'NEW_VERSION' : 'APP';
  output.json({ ok: true, command: 'diff', app: slug, target, revision: work.revision, changes });
  const fields = countOf(changes.length, 'field');
  if (changes.length === 0) output.line(`The file and ${named[target]} of ${slug} are the same.`);
  else if (target === 'NEW_VERSION')
    output.line(`A push would create a version of ${slug} that differs from the live listing in ${fields}:`);
  else output.line(`A push would change ${fields} of ${named[target]} of ${slug}:`);
  printChanges(output, changes);
  return exitCodes.done;
}

const named = { APP: 'the listing', VERSION: 'the open version', NEW_VERSION: 'the live listing' } as const;
