import { existsSync, readFileSync } from 'node:fs';
import type { CommandContext } from '../context.js';
import { differences } from '../difference.js';
import { exitCodes } from '../failure.js';
import { ListingFile, listingFields, shown, type WrittenFile, writeFiles } from '../listing-file.js';
import { readApp, requireSlug, workOf } from '../target.js';

/** Writes the listing of the server to the file, and to the files of its texts. */
export async function pull(context: CommandContext): Promise<number> {
  const { output, options } = context;
  const file = ListingFile.read(context.path);
  const slug = requireSlug(file.content.app, 'pull');
  const app = await readApp(context.api(slug), slug);
  const work = workOf(app);
  const fields = { ...pick(work), environment: app.environment };
  const changes = differences(pick(work), file.fields());
  const isSame = changes.length === 0 && file.content.environment === app.environment;
  const files = isSame ? [] : file.updated(fields, slug).filter(differs);
  if (!options['dry-run']) writeFiles(files);
  const paths = files.map(({ path }) => shown(path));
  const { revision, status } = work;
  output.json({
    ok: true,
    command: 'pull',
    dryRun: options['dry-run'] === true,
    app: slug,
    status,
    revision,
    files: paths,
  });
  const verb = options['dry-run'] ? 'Would write' : 'Wrote';
  output.line(
    paths.length === 0
      ? `The files have everything of ${slug} already (${status}, revision ${revision}).`
      : `${verb} ${paths.join(', ')} from ${slug} (${status}, revision ${revision}).`,
  );
  return exitCodes.done;
}

const pick = (source: Record<string, unknown>) =>
  Object.fromEntries(listingFields.map((field) => [field, source[field]]));

const differs = ({ path, text }: WrittenFile) => !existsSync(path) || readFileSync(path, 'utf8') !== text;
