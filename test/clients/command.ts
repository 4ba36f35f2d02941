import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';

/** Runs a program of the installed clients, or Node, and returns what it prints. */
export async function run(cwd: string, program: string, ...args: string[]): Promise<string> {
  const PATH = [
    join(import.meta.dirname, 'node_modules/.bin'),
    dirname(process.execPath),
    process.env.PATH,
  ].join(':');
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, PATH, NODE_ENV: 'development' },
    timeout: 60_000,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      printed += piece;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) =>
    child.on('error', reject).on('close', resolve),
  );
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${printed}`);
  return printed;
}
