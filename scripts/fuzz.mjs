// `npm run fuzz`: the hostile inputs of test/fuzz, as many as one likes, with progress.
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

const help = `Sends hostile inputs to every operation at both doors, and looks at every answer.

  npm run fuzz -- [--runs 200000] [--seed N] [--path P]

  --runs N   how many requests (default 200000; about 300 a second on one core)
  --seed N   repeat a run: a failure prints its seed
  --path P   and its path, to begin with the volley that failed
  --help     this text
`;

const { values } = read();
if (values.help) {
  process.stdout.write(help);
} else if (![values.runs, values.seed ?? '0'].every((value) => /^-?\d{1,12}$/.test(value))) {
  refuse('--runs and --seed take whole numbers.');
} else {
  const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js', 'test/fuzz'];
  const env = {
    ...process.env,
    FUZZ_RUNS: values.runs,
    FUZZ_PROGRESS: '1',
    ...(values.seed && { FUZZ_SEED: values.seed }),
    ...(values.path && { FUZZ_PATH: values.path }),
  };
  const child = spawn(process.execPath, jest, { stdio: 'inherit', env });
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}

function read() {
  const string = /** @type {const} */ ({ type: 'string' });
  try {
    return parseArgs({
      options: {
        runs: { ...string, default: '200000' },
        seed: string,
        path: string,
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    refuse(error.message);
    return process.exit();
  }
}

function refuse(message) {
  process.stderr.write(`${message} Try --help.\n`);
  process.exitCode = 1;
}
