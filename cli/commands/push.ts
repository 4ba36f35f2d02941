import { createHash, randomUUID } from 'node:crypto';
import type { Api } from '../api.js';
import { numberOf } from '../arguments.js';
import type { CommandContext } from '../context.js';
import { type Change, differences, inputOf, isGiven, requireSameEnvironment } from '../difference.js';
import { createAppVersion, ownApps, updateApp, updateAppVersion, whoAmI } from '../documents.js';
import { conflict, exitCodes, Failure, hasProblems, usage } from '../failure.js';
import { type ListingFields, ListingFile, shown } from '../listing-file.js';
import { located, printChanges } from '../report.js';
import { type RemoteApp, readApp, requireNotSuspended, workOf } from '../target.js';
import { printState } from './status.js';
import { requireReady, submitWork } from './submit.js';

/** What a push does to the server. */
type Action = 'CREATED' | 'UPDATED' | 'VERSION_CREATED' | 'VERSION_UPDATED' | 'UNCHANGED';

interface Result {
  action: Action;
  slug: string;
  status: string;
  revision: number;
  changes: Change[];
}

/** Makes the server have what the file has. */
export async function push(context: CommandContext): Promise<number> {
  const { output, options } = context;
  if (options.wait && !options.submit)
    throw usage('--wait needs --submit: without it there is no decision to wait for.');
  const file = ListingFile.read(context.path);
  const { app: named } = file.content;
  const api = context.api(named);
  const slug = named ?? (await findByName(api, file));
  const isDryRun = options['dry-run'] === true;
  const result = await (slug === null ? create(context, api, file) : update(context, api, file, slug)).catch(
    (error: unknown) => {
      throw explained(error, file);
    },
  );
  const { slug: app, ...rest } = result;
  if (named === undefined && !isDryRun) {
    file.addApp(app);
    output.note(`Wrote "app": "${app}" to ${shown(file.path)}. Commit it, so that every push finds the app.`);
  }
  printChanges(output, result.changes);
  output.line(output.style('green', sentence(result, isDryRun)));
  // A new app has no slug in a dry run.
  if (options.submit && app === '') await requireReady(context, file);
  const isSubmitting = options.submit === true && app !== '';
  const submission = isSubmitting ? await submitWork(context, api, app, file, result.revision) : null;
  output.json({
    ok: true,
    command: 'push',
    dryRun: isDryRun,
    app: app || null,
    ...rest,
    submission: submission?.result ?? null,
  });
  if (submission) printState(output, submission.app, file);
  return submission?.exitCode ?? exitCodes.done;
}

const sentence = ({ action, slug, status, revision }: Result, isDryRun: boolean): string => {
  const would = (done: string, plan: string) => (isDryRun ? `Would ${plan}` : done);
  if (action === 'UNCHANGED')
    return `${slug} has everything already: nothing to change (${status}, revision ${revision}).`;
  if (action === 'CREATED')
    return `${would('Created the app', 'create a new app')}${slug && ` ${slug}`} as a draft.`;
  if (action === 'UPDATED') return `${would('Updated', 'update')} ${slug} (${status}, revision ${revision}).`;
  if (action === 'VERSION_CREATED')
    return `${would('Created a new version', 'create a new version')} of ${slug}. The live listing does not change before it is approved.`;
  return `${would('Updated', 'update')} the open version of ${slug} (${status}, revision ${revision}).`;
};

/** Finds the app of a file that names none: one with the same name and environment, as an earlier push may have made it. */
export async function findByName(api: Api, { content }: ListingFile): Promise<string | null> {
  const nameOf = (name: string) => name.normalize('NFC').trim().toLowerCase();
  const { myApps } = await api.query<{ myApps: RemoteApp[] }>(ownApps);
  const same = myApps.filter(
    ({ name, environment }) => nameOf(name) === nameOf(content.name) && environment === content.environment,
  );
  if (same.length < 2) return same[0]?.slug ?? null;
  throw conflict(
    'SEVERAL_APPS',
    `You have ${same.length} apps named "${content.name}" (${same.map(({ slug }) => slug).join(', ')}). Add "app" with the slug of the right one to the file, or run "marketplace pull" there.`,
  );
}

/** REST creates apps, because it knows Idempotency-Keys. It does not have these fields. */
const graphqlOnly = ['versionNumber', 'releaseNotes'];

async function create(context: CommandContext, api: Api, file: ListingFile): Promise<Result> {
  const fields = file.fields();
  const present = Object.entries(fields).filter(([, value]) => isGiven(value));
  const changes = present.map(([field, after]) => ({ field, before: null, after }));
  const made = { action: 'CREATED' as const, status: 'DRAFT', revision: 1, changes };
  if (context.options['dry-run']) {
    await requireScope(api, 'APP_CREATE');
    return { ...made, slug: '' };
  }
  const body = Object.fromEntries(present.filter(([field]) => !graphqlOnly.includes(field)));
  const slug = await createOnce(api, file, body);
  const app = await readApp(api, slug);
  const rest = differences(fields, app);
  const revision = rest.length > 0 ? await write(api, slug, app, rest, fields) : app.revision;
  return { ...made, slug, revision };
}

/**
 * Creates the app, once. The key is made of the name, so that another process that creates the same app at the same time,
 * or a repetition of a pipeline whose response was lost, gets the same app.
 */
async function createOnce(api: Api, file: ListingFile, body: ListingFields): Promise<string> {
  const { name, environment } = file.content;
  const idempotencyKey = `cli-${createHash('sha256')
    .update(JSON.stringify([name, environment]))
    .digest('hex')}`;
  try {
    const { body: app, isReplayed } = await api.post('/api/dev/apps', body, { idempotencyKey });
    const slug = String(app.slug);
    if (!isReplayed || (await findByName(api, file)) !== null) return slug;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'IDEMPOTENCY_CONFLICT') throw error;
    const existing = await findByName(api, file);
    if (existing !== null) return existing;
  }
  // The app that the key stands for was deleted since.
  const { body: app } = await api.post('/api/dev/apps', body, { idempotencyKey: randomUUID() });
  return String(app.slug);
}

async function update(context: CommandContext, api: Api, file: ListingFile, slug: string): Promise<Result> {
  const app = await readApp(api, slug);
  requireNotSuspended(app);
  requireSameEnvironment(file, app);
  const work = workOf(app);
  requireRevision(context, work.revision);
  const fields = file.fields();
  const changes = differences(fields, work);
  const { status, revision } = work;
  if (changes.length === 0) return { action: 'UNCHANGED', slug, status, revision, changes };
  const action = app.openVersion
    ? 'VERSION_UPDATED'
    : app.status === 'APPROVED'
      ? 'VERSION_CREATED'
      : 'UPDATED';
  if (context.options['dry-run']) {
    await requireScope(api, action === 'VERSION_CREATED' ? 'APP_CREATE' : 'APP_UPDATE');
    return { action, slug, status, revision, changes };
  }
  const written = await write(api, slug, app, changes, fields);
  const { status: after } = workOf(await readApp(api, slug));
  return { action, slug, status: after, revision: written, changes };
}

/** Fails as the write would, if the key lacks the scope. The key of a pipeline may do all that its app needs (D409). */
async function requireScope(api: Api, scope: string): Promise<void> {
  if (api.credential.kind === 'pipeline') return;
  const { viewer } = await api.query<{ viewer: { apiKey: { scopes: string[] } | null } }>(whoAmI);
  if (!viewer.apiKey || viewer.apiKey.scopes.includes(scope)) return;
  throw new Failure({
    exitCode: exitCodes.notPermitted,
    code: 'INSUFFICIENT_SCOPE',
    message: `The push would need the scope ${scope}, which this key does not have.`,
  });
}

/**
 * Writes the changes with the revision that was read. If the response was lost, the repetition fails, because the first
 * attempt has changed the revision: then the server is read again, and has what the file has. Returns the new revision.
 */
async function write(
  api: Api,
  slug: string,
  app: RemoteApp,
  changes: readonly Change[],
  fields: ListingFields,
): Promise<number> {
  try {
    return await mutate(api, app, inputOf(changes));
  } catch (error) {
    // Another pipeline may also have pushed the same at the same time.
    if (!(error instanceof Failure) || error.exitCode !== exitCodes.conflict) throw error;
    const work = workOf(await readApp(api, slug));
    if (differences(fields, work).length > 0) throw error;
    return work.revision;
  }
}

async function mutate(
  api: Api,
  { id, revision, status, openVersion }: RemoteApp,
  input: ListingFields,
): Promise<number> {
  const run = async (document: string, variables: object) => {
    const [written] = Object.values(
      await api.mutate<Record<string, { revision: number }>>(document, variables),
    );
    return written!.revision;
  };
  if (openVersion)
    return run(updateAppVersion, { id: openVersion.id, revision: openVersion.revision, input });
  return status === 'APPROVED'
    ? run(createAppVersion, { appId: id, revision, input })
    : run(updateApp, { id, revision, input });
}

function requireRevision({ options }: CommandContext, revision: number): void {
  const expected = numberOf(options, 'revision');
  if (expected === null || expected === revision) return;
  throw conflict(
    'REVISION_CONFLICT',
    `The server has revision ${revision}, not ${expected}. Run "marketplace diff", then "marketplace pull" to take over what changed.`,
  );
}

/** Adds to errors where in the file they can be fixed, and to conflicts what to do. */
function explained(error: unknown, file: ListingFile): unknown {
  if (!(error instanceof Failure)) return error;
  if (error.code === 'VALIDATION_FAILED' && error.problems.some(({ file: place }) => place === null))
    return hasProblems(error.message, located(error.problems, file));
  if (error.code !== 'REVISION_CONFLICT' && error.code !== 'INVALID_TRANSITION') return error;
  return conflict(
    error.code,
    `Somebody else changed the listing on the server meanwhile. Run "marketplace pull" to take over what changed, or push again to overwrite it.`,
    error.changes,
  );
}
