import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';

const log = resolve(import.meta.dirname, '../../dist/src/log.js');

/** Runs a process that opens the log and does `work`. */
const run = (work: string) =>
  spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { openLog } from ${JSON.stringify(log)}; const log = openLog('info'); const lines = (count) => { for (let n = 0; n < count; n += 1) log.info({ n }, 'request'); }; ${work}`,
    ],
    { stdio: ['pipe', 'pipe', 'ignore'] },
  );

/** Reads the log to its end, with a pause before each piece, and returns the numbers in its lines. */
async function numbersIn(child: ChildProcess, pauseMs = 0): Promise<number[]> {
  let text = '';
  for await (const piece of child.stdout!.setEncoding('utf8')) {
    text += piece;
    if (pauseMs > 0) await delay(pauseMs);
  }
  const lines = text.split('\n').filter(Boolean);
  return lines.map((line) => (JSON.parse(line) as { n: number }).n);
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('the log of a process', () => {
  it.each([
    ['when nothing is left to do', 'lines(10_000);', 0],
    ['by process.exit()', 'lines(10_000); process.exit(3);', 3],
    ['by an uncaught error', "lines(10_000); throw new Error('unexpected');", 1],
    [
      'by SIGTERM',
      "process.on('SIGTERM', () => process.exit(4)); setInterval(() => 0, 1_000); lines(10_000); process.kill(process.pid, 'SIGTERM');",
      4,
    ],
  ])('has every line when it ends %s (D288)', async (_, work, code) => {
    const child = run(work);
    const ended = once(child, 'exit');
    expect(await numbersIn(child)).toEqual(upTo(10_000));
    expect((await ended)[0]).toBe(code);
  });

  it('has every line if its reader is slow (D288)', async () => {
    const child = run('lines(30_000); process.exit(0);');
    // Far more than a pipe holds.
    expect(await numbersIn(child, 5)).toEqual(upTo(30_000));
  });

  it('has what was written some time before it is killed (D288)', async () => {
    const child = run("lines(100); setTimeout(() => process.kill(process.pid, 'SIGKILL'), 500);");
    expect(await numbersIn(child)).toEqual(upTo(100));
  });

  it('has a warning in the same turn of the event loop, after the lines before it (D288)', async () => {
    const child = run(
      "lines(3); log.warn({ n: 3 }, 'odd'); setImmediate(() => setImmediate(() => process.kill(process.pid, 'SIGKILL')));",
    );
    expect(await numbersIn(child)).toEqual(upTo(4));
  });
});
