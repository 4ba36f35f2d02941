import type { Api } from '../api.js';
import type { CommandContext } from '../context.js';
import { differences } from '../difference.js';
import { submitAppVersion } from '../documents.js';
import { conflict, exitCodes, Failure, hasProblems } from '../failure.js';
import { countOf, ListingFile, shown } from '../listing-file.js';
import { located } from '../report.js';
import { type RemoteApp, readApp, requireNotSuspended, requireSlug, workOf } from '../target.js';
import { problemsOf } from './check.js';
import { decisionOn, exitOf, printState, stateOf } from './status.js';

/** Submits the app, or its open version, for review. */
export async function submit(context: CommandContext): Promise<number> {
  const { output } = context;
  const file = ListingFile.read(context.path);
  const slug = requireSlug(file.content.app, 'submit');
  const { result, app, exitCode } = await submitWork(context, context.api(slug), slug, file);
  output.json({ ok: true, command: 'submit', ...result });
  printState(output, app, file);
  return exitCode;
}

/**
 * Submits what is worked on, and waits for the decision if that was asked for. `revision` is what the caller has written:
 * what somebody else wrote after it is not submitted.
 */
export async function submitWork(
  context: CommandContext,
  api: Api,
  slug: string,
  file: ListingFile,
  revision: number | null = null,
) {
  const { output, options } = context;
  const app = await readApp(api, slug);
  requireNotSuspended(app);
  const { status, revision: current } = workOf(app);
  if (revision !== null && revision !== current && !context.options['dry-run'])
    throw conflict(
      'REVISION_CONFLICT',
      `Somebody else changed ${slug} after the push (revision ${current} instead of ${revision}), and it is not submitted. Run "marketplace diff", then "marketplace submit".`,
    );
  const isSubmittable = status === 'DRAFT' || status === 'REJECTED';
  const dryRun = options['dry-run'] === true;
  if (isSubmittable && revision === null) requirePushed(file, app);
  if (isSubmittable && dryRun) await requireReady(context, file);
  const submitted = isSubmittable && !dryRun;
  if (submitted) await send(api, app, file);
  if (isSubmittable)
    output.note(dryRun ? `Would submit ${slug} for review.` : `Submitted ${slug} for review.`);
  else if (status === 'PENDING') output.note(`${slug} is submitted already.`);
  else output.note(`Nothing to submit: ${slug} is ${status} and has no open version.`);
  const waits = options.wait === true && !dryRun;
  const after = waits ? await decisionOn(context, api, slug) : await readApp(api, slug);
  return {
    app: after,
    result: { dryRun, submitted, ...stateOf(after, file) },
    // Without waiting, a rejection from before is no result of this command.
    exitCode: waits ? exitOf(after, true) : exitCodes.done,
  };
}

/** The server submits what it has: an edit that was not pushed would be left out without a word. */
function requirePushed(file: ListingFile, app: RemoteApp): void {
  const changes = differences(file.fields(), workOf(app));
  if (changes.length === 0) return;
  throw conflict(
    'NOT_PUSHED',
    `${shown(file.path)} has ${countOf(changes.length, 'change')} that the server does not have (${changes.map(({ field }) => field).join(', ')}). Run "marketplace push --submit" to submit the file, or "marketplace pull" to take over what the server has.`,
  );
}

/** Fails as the submission would. */
export async function requireReady(context: CommandContext, file: ListingFile): Promise<void> {
  const problems = await problemsOf(context, file);
  if (problems.some(({ severity }) => severity === 'ERROR'))
    throw hasProblems('It would not be submitted: the listing is not ready.', problems);
}

/** If the response was lost, a repetition fails because the app is submitted already: that is what was wanted. */
async function send(
  api: Api,
  { id, slug, revision, openVersion }: RemoteApp,
  file: ListingFile,
): Promise<void> {
  try {
    if (openVersion)
      await api.mutate(submitAppVersion, { id: openVersion.id, revision: openVersion.revision });
    else await api.post(`/api/dev/apps/${id}/submit`, null, { revision });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.exitCode === exitCodes.conflict && error.wasRepeated) {
      if (workOf(await readApp(api, slug)).status === 'PENDING') return;
    }
    if (error.code === 'VALIDATION_FAILED') throw hasProblems(error.message, located(error.problems, file));
    throw error;
  }
}
