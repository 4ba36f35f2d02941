import type { CommandContext } from '../context.js';
import { withdrawApp, withdrawAppVersion } from '../documents.js';
import { conflict, exitCodes, Failure } from '../failure.js';
import { ListingFile } from '../listing-file.js';
import { readApp, requireSlug, workOf } from '../target.js';
import { printState, stateOf } from './status.js';

/** Withdraws the submission: the app or its version becomes a draft again. */
export async function withdraw(context: CommandContext): Promise<number> {
  const { output, options } = context;
  const file = ListingFile.read(context.path);
  const slug = requireSlug(file.content.app, 'withdraw');
  const api = context.api(slug);
  const { id, openVersion, ...app } = await readApp(api, slug);
  const { status } = openVersion ?? app;
  if (status !== 'PENDING')
    throw conflict(
      'INVALID_TRANSITION',
      `${slug} is ${status}: only a submission that is waiting can be withdrawn.`,
    );
  const isDryRun = options['dry-run'] === true;
  if (!isDryRun) {
    try {
      if (openVersion) await api.mutate(withdrawAppVersion, { id: openVersion.id });
      else await api.mutate(withdrawApp, { id });
    } catch (error) {
      // The response of the first attempt may have been lost.
      const mayBeDone = error instanceof Failure && error.wasRepeated && error.code === 'INVALID_TRANSITION';
      if (!mayBeDone || workOf(await readApp(api, slug)).status !== 'DRAFT') throw error;
    }
  }
  const after = await readApp(api, slug);
  output.note(isDryRun ? `Would withdraw the submission of ${slug}.` : `Withdrew the submission of ${slug}.`);
  output.json({ ok: true, command: 'withdraw', dryRun: isDryRun, ...stateOf(after, file) });
  printState(output, after, file);
  return exitCodes.done;
}
