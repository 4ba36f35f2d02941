import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { type CommandContext, marketplaceUrl } from '../context.js';
import { exitCodes, usage } from '../failure.js';
import { categories, environments, listingFields, newListing, shown, writeFiles } from '../listing-file.js';
import { readApp, workOf } from '../target.js';

const questions = [
  { field: 'name', text: 'Name of the app', choices: null },
  { field: 'description', text: 'What it does, in one or two sentences', choices: null },
  { field: 'category', text: 'Category', choices: categories },
  { field: 'environment', text: 'Environment (it cannot be changed later)', choices: environments },
] as const;

/** Creates the listing file: from an existing app, or by questions, which options answer where there is no terminal. */
export async function init(context: CommandContext): Promise<number> {
  const { output, options, path } = context;
  const $schema = `${marketplaceUrl(options, context.environment)}/listing.schema.json`;
  requireFree(context, path);
  const slug = options.app;
  const content =
    slug === undefined
      ? { ...(await answers(context)), screenshots: [] }
      : { app: slug, ...(await fieldsOf(context, slug)) };
  const files = newListing(path, { $schema, ...content });
  for (const file of files.slice(1)) requireFree(context, file.path);
  if (!options['dry-run']) writeFiles(files);
  const paths = files.map((file) => shown(file.path));
  output.json({
    ok: true,
    command: 'init',
    dryRun: options['dry-run'] === true,
    app: slug ?? null,
    files: paths,
  });
  output.line(`${options['dry-run'] ? 'Would write' : 'Wrote'} ${paths.join(', ')}.`);
  output.note('Next: add pictures and texts, then "marketplace check" and "marketplace push".');
  return exitCodes.done;
}

function requireFree({ options }: CommandContext, path: string): void {
  if (options.force || !existsSync(path)) return;
  throw usage(
    `${shown(path)} exists already. Use --force to overwrite it, or "marketplace pull" to update it.`,
  );
}

async function fieldsOf(context: CommandContext, slug: string): Promise<Record<string, unknown>> {
  const app = await readApp(context.api(slug), slug);
  const fields: Record<string, unknown> = { ...workOf(app), environment: app.environment };
  const present = listingFields.filter((field) => fields[field] !== null && fields[field] !== undefined);
  return Object.fromEntries(present.map((field) => [field, fields[field]]));
}

/** Takes the answers from the options; asks for the others on a terminal. */
async function answers({ options, canAsk }: CommandContext): Promise<Record<string, string>> {
  const given: Record<string, string> = {};
  const missing = questions.filter(({ field }) => options[field] === undefined);
  if (missing.length > 0 && !canAsk)
    throw usage(
      `There is no terminal to ask on: give ${missing.map(({ field }) => `--${field}`).join(', ')}, or --app with the slug of an app of yours.`,
    );
  const terminal =
    missing.length > 0 ? createInterface({ input: process.stdin, output: process.stderr }) : null;
  // The end of the input (Ctrl-D) would leave a question without an answer.
  const ended = new AbortController();
  const { signal } = ended;
  terminal?.once('close', () => ended.abort());
  try {
    for (const { field, text, choices } of questions) {
      const ask = () =>
        terminal?.question(`${text}${choices ? ` (${choices.join(', ')})` : ''}: `, { signal });
      for (let answer = options[field] ?? (await ask()); ; answer = await ask()) {
        const value = answer?.trim() ?? '';
        const isValid = choices ? choices.includes(value) : value !== '';
        if (isValid) {
          given[field] = value;
          break;
        }
        if (!terminal || options[field] !== undefined)
          throw usage(`--${field} must be ${choices ? `one of ${choices.join(', ')}` : 'a text'}.`);
      }
    }
  } catch (error) {
    throw signal.aborted ? usage('There was no answer: nothing was written.') : error;
  } finally {
    terminal?.close();
  }
  return given;
}
