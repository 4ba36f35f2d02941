import { writeFileSync } from 'node:fs';
import type { CommandContext } from '../context.js';
import { requireSameEnvironment } from '../difference.js';
import { preflightListing } from '../documents.js';
import { exitCodes, Failure, hasProblems, type Problem } from '../failure.js';
import { countOf, ListingFile, listingFields, shown } from '../listing-file.js';
import { codeQualityReport, located, printAnnotations, printProblems } from '../report.js';
import { type Finding, readApp, workOf } from '../target.js';

/** Checks the listing: the file, then with the service what a submission would check. */
export async function check(context: CommandContext): Promise<number> {
  const { output, options, path } = context;
  let problems: Problem[];
  let isReady: boolean;
  try {
    const file = ListingFile.read(path);
    problems = options.offline ? [] : await problemsOf(context, file);
    isReady = problems.every(({ severity }) => severity !== 'ERROR');
  } catch (error) {
    // Problems of the file are a result of this command, and not only an error.
    if (!(error instanceof Failure) || error.problems.length === 0) throw error;
    problems = [...error.problems];
    isReady = false;
  }
  if (options['code-quality'] !== undefined)
    writeFileSync(options['code-quality'], `${JSON.stringify(codeQualityReport(problems, path), null, 2)}\n`);
  output.json({ ok: isReady, command: 'check', ready: isReady, findings: problems });
  printProblems(output, problems);
  if (context.environment.GITHUB_ACTIONS === 'true') printAnnotations(output, problems);
  output.line(verdict(context, problems, isReady));
  return isReady ? exitCodes.done : exitCodes.rejected;
}

function verdict({ output, options, path }: CommandContext, problems: readonly Problem[], isReady: boolean) {
  const errors = problems.filter(({ severity }) => severity === 'ERROR').length;
  const counts = [countOf(errors, 'error'), countOf(problems.length - errors, 'warning')].join(', ');
  if (!isReady) return output.style('red', `${shown(path)} is not ready: ${counts}.`);
  const what = options.offline ? 'has a valid form' : 'is ready to be submitted';
  return output.style('green', `${shown(path)} ${what}: ${counts}.`);
}

/** Asks the service. Fields that the file leaves to the server are checked as they are there. */
export async function problemsOf(context: CommandContext, file: ListingFile): Promise<Problem[]> {
  const { app: slug } = file.content;
  const api = context.api(slug);
  const app = slug === undefined ? null : await readApp(api, slug);
  if (app) requireSameEnvironment(file, app);
  context.output.progress('Checking pictures, links and names…');
  const fields = file.fields();
  const stored: Record<string, unknown> = app ? { ...workOf(app) } : {};
  const input = Object.fromEntries(
    listingFields
      .map((name) => [name, fields[name] === undefined ? stored[name] : fields[name]])
      .filter(([, value]) => value !== undefined),
  );
  try {
    const { preflightListing: result } = await api.query<{ preflightListing: { findings: Finding[] } }>(
      preflightListing,
      { input },
    );
    return located(result.findings, file);
  } catch (error) {
    if (!(error instanceof Failure) || error.problems.length === 0) throw error;
    throw hasProblems(error.message, located(error.problems, file));
  } finally {
    context.output.endProgress();
  }
}
