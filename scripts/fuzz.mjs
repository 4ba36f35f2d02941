// `npm run fuzz`: runs test/fuzz with any number of requests and shows the progress.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

const help = `Sends hostile inputs to every operation of REST and GraphQL, and checks every response.

  npm run fuzz -- [--runs 200000] [--seed N] [--path P]

  --runs N        number of requests (default 200000; about 300 a second on one core)
  --seed N        repeat a run: a failure prints its seed
  --path P        start with the requests that failed: a failure prints its path too

With --cost it searches for requests that use much processor time, of the gateway and of PostgreSQL together: it extends
and mutates the most expensive requests found so far, of at most 256 KiB each, sends them one at a time to a gateway in a
separate process, and reports the most expensive ones with the time of each process. It fails if a request costs more than the budget, gets a 5xx, or gets more than 1 MiB without a
credential.

  npm run fuzz -- --cost [--minutes 5] [--seed N] [--budget-ms 100] [--top 10] [--out FOLDER]
  npm run fuzz -- --cost --replay FOLDER/01.json

  --minutes N     duration of the search (default 5; measuring the results again takes a little longer)
  --seed N        another order of the known shapes and other mutations (default 1). Measured times guide the search, so
                  a run is never repeated exactly; saved requests are
  --budget-ms N   maximum processor time of a request, in both processes together (default 100)
  --top N         number of requests to report (default 10)
  --out FOLDER    where to save them (default: a new temporary folder): the body, a curl command, and the file for --replay
  --replay FILE   only measure one saved request again
  --profile DIR   write a CPU profile of the gateway there
  --help          show this text
`;

const { values } = read();
const numbers = [values.runs, values.seed, values.minutes, values['budget-ms'], values.top];
if (values.help) {
  process.stdout.write(help);
} else if (!numbers.every((value = '0') => /^-?\d{1,12}$/.test(value))) {
  reject('--runs, --seed, --minutes, --budget-ms and --top must be whole numbers.');
} else {
  const file = values.cost ? 'test/fuzz/cost.test.ts' : 'test/fuzz/fuzz.test.ts';
  const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js', file];
  const settings = values.cost ? costSettings() : responseSettings();
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  const env = { ...process.env, ...Object.fromEntries(given) };
  const child = spawn(process.execPath, jest, { stdio: 'inherit', env });
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}

function responseSettings() {
  return { FUZZ_RUNS: values.runs, FUZZ_PROGRESS: '1', FUZZ_SEED: values.seed, FUZZ_PATH: values.path };
}

function costSettings() {
  const inPlace = (path) => path && resolve(path);
  return {
    FUZZ_MINUTES: values.minutes,
    FUZZ_SEED: values.seed,
    FUZZ_BUDGET_MS: values['budget-ms'],
    FUZZ_TOP: values.top,
    FUZZ_OUT: inPlace(values.out),
    FUZZ_REPLAY: inPlace(values.replay),
    FUZZ_PROFILE: inPlace(values.profile),
  };
}

function read() {
  const string = /** @type {const} */ ({ type: 'string' });
  try {
    return parseArgs({
      options: {
        runs: { ...string, default: '200000' },
        seed: string,
        path: string,
        cost: { type: 'boolean', default: false },
        minutes: { ...string, default: '5' },
        'budget-ms': { ...string, default: '100' },
        top: { ...string, default: '10' },
        out: string,
        replay: string,
        profile: string,
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    reject(error.message);
    return process.exit();
  }
}

function reject(message) {
  process.stderr.write(`${message} Try --help.\n`);
  process.exitCode = 1;
}
