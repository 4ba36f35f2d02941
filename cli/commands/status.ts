import type { Api } from '../api.js';
import { numberOf } from '../arguments.js';
import type { CommandContext } from '../context.js';
import { type ExitCode, exitCodes } from '../failure.js';
import { ListingFile } from '../listing-file.js';
import { alignedTable, type Output, printable } from '../output.js';
import { located, printProblems } from '../report.js';
import { ChangeListener } from '../stream.js';
import { type RemoteApp, readApp, requireSlug, workOf } from '../target.js';

/** The state of an app as `--json` prints it. */
export function stateOf(app: RemoteApp, file: ListingFile | null) {
  const work = workOf(app);
  return {
    app: app.slug,
    appStatus: app.status,
    target: app.openVersion ? 'VERSION' : 'APP',
    status: work.status,
    revision: work.revision,
    submittedAt: work.submittedAt,
    queue: work.review,
    findings: located(work.findings, file),
    rejection: work.status === 'REJECTED' ? work.rejection : null,
  };
}

/** Shows the status of the app and its open version. */
export async function status(context: CommandContext): Promise<number> {
  const { options, output } = context;
  const file = ListingFile.read(context.path);
  const slug = requireSlug(file.content.app, 'status');
  const api = context.api(slug);
  const app = options.watch ? await decisionOn(context, api, slug) : await readApp(api, slug);
  output.json({ ok: true, command: 'status', ...stateOf(app, file) });
  printState(output, app, file);
  return exitOf(app, options.watch === true);
}

/** A rejected listing and a wait that was given up are not a success. */
export function exitOf(app: RemoteApp, hasWaited = false): ExitCode {
  const { status: state } = workOf(app);
  if (state === 'REJECTED') return exitCodes.rejected;
  return hasWaited && state === 'PENDING' ? exitCodes.unavailable : exitCodes.done;
}

/** Waits until the review has ended. Returns earlier if the time of `--timeout` is over. */
export async function decisionOn(
  { options, output }: CommandContext,
  api: Api,
  slug: string,
): Promise<RemoteApp> {
  const seconds = numberOf(options, 'timeout');
  const endsAt = seconds === null ? Number.POSITIVE_INFINITY : Date.now() + seconds * 1000;
  let app = await readApp(api, slug);
  const listener = new ChangeListener(api, app.id);
  let last = '';
  try {
    for (;;) {
      await listener.open();
      app = await readApp(api, slug);
      const { status: state, review } = workOf(app);
      const leftMs = endsAt - Date.now();
      if (state !== 'PENDING' || leftMs <= 0) return app;
      const place = review ? `position ${review.position}, expected ${expectedTime(review)}` : 'waiting';
      if (output.isInteractive) output.progress(`${slug} is in review: ${place}…`);
      else if (place !== last) output.note(`${slug} is in review: ${place}.`);
      last = place;
      await listener.next(leftMs);
    }
  } finally {
    listener.close();
    output.endProgress();
  }
}

const utcTime = (time: string) => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** The time of the decision, as the page of the app says it. */
const expectedTime = ({ etaP50, dueAt }: { etaP50: string; dueAt: string }) =>
  Date.parse(dueAt) < Math.max(Date.now(), Date.parse(etaP50))
    ? `later than usual (due ${utcTime(dueAt)})`
    : `${utcTime(etaP50)}, due ${utcTime(dueAt)}`;

export function printState(output: Output, app: RemoteApp, file: ListingFile | null): void {
  const work = workOf(app);
  const { review, rejection } = work;
  const coloured = output.style(colourOf[work.status] ?? 'cyan', work.status);
  output.line(
    alignedTable([
      ['App', `${printable(app.name)} (${app.slug})`],
      ...(app.openVersion ? [['Live', app.status]] : []),
      [app.openVersion ? 'Version' : 'Status', `${coloured}, revision ${work.revision}`],
      ...(work.submittedAt ? [['Submitted', utcTime(work.submittedAt)]] : []),
      ...(review
        ? [
            ['Queue', `position ${review.position} (${review.ahead} before it)`],
            ['Decision', `expected ${expectedTime(review)}`],
          ]
        : []),
    ]),
  );
  if (rejection && work.status === 'REJECTED') {
    output.line();
    output.line(output.style('red', 'Rejected:'));
    for (const { code, field, message } of rejection.reasons) {
      const place = file && field ? file.placeOf(field) : null;
      output.line(
        `  ${code}${field ? ` ${field}` : ''}${place ? ` (${place.file}:${place.line})` : ''}: ${printable(message)}`,
      );
    }
    output.line(`  ${printable(rejection.guidance)}`);
  }
  if (work.findings.length > 0) {
    output.line();
    printProblems(output, located(work.findings, file));
  }
}

const colourOf: Readonly<Record<string, 'green' | 'red' | 'yellow'>> = {
  APPROVED: 'green',
  REJECTED: 'red',
  SUSPENDED: 'red',
  PENDING: 'yellow',
};
