import { startEmbeddedDatabase } from '../../src/embedded-postgres/embedded.js';
import { StartupError } from '../../src/errors.js';

// A gateway with only its embedded database: reports its progress as JSON lines, stops on SIGTERM.
const [dataDir = '', ...flags] = process.argv.slice(2);
const say = (event: object) => process.stdout.write(`${JSON.stringify(event)}\n`);

try {
  const onProgress = (progress: string) => say({ progress });
  const database = await startEmbeddedDatabase({ dataDir, onProgress });
  if (!flags.includes('--unsettled')) await database.settle();
  const { url, isNew, directory } = database;
  process.once('SIGTERM', () => database.stop());
  database.died.then((died) => say({ died })).then(() => database.stop());
  say({ ready: { url, isNew, directory } });
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  say({ refused: error.message });
  process.exitCode = 1;
}
