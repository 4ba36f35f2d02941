import { hostUrls } from '../config/formats.js';
import type { Config } from '../config.js';
import { StartupError } from '../errors.js';
import { addressOf } from './address.js';
import { withClient } from './pool.js';

const MIN_MAJOR_VERSION = 15;

/** Checks that the PostgreSQL of the settings can be reached and is recent enough; throws a StartupError otherwise. */
export async function requireExternalDatabase(
  databaseUrl: string,
  config: Pick<Config, 'databaseDirectUrl'>,
): Promise<void> {
  const { directUrl, pooled } = addressOf(databaseUrl, config);
  if (pooled) await requireServer('DATABASE_DIRECT_URL', directUrl);
  await requireServer('DATABASE_URL', databaseUrl, pooled);
}

async function requireServer(setting: string, url: string, pooled = false): Promise<void> {
  // Logs in like the connections that write, so that a pooler refuses it if it would refuse them.
  const options = { url, purpose: 'writes', pooled, connectionTimeoutMillis: 10_000 } as const;
  try {
    const { rows } = await withClient(options, (client) =>
      client.query<{ version: string }>("SELECT current_setting('server_version_num') AS version"),
    );
    const major = Math.floor(Number(rows[0]?.version) / 10_000);
    if (major < MIN_MAJOR_VERSION) {
      throw new StartupError(
        `${setting} leads to PostgreSQL ${major}, and PostgreSQL ${MIN_MAJOR_VERSION} or later is needed.`,
      );
    }
  } catch (error) {
    if (/unsupported startup parameter/.test(String(error)))
      throw new StartupError(
        `${setting} leads to a connection pooler in transaction mode: set DATABASE_DIRECT_URL to the address of PostgreSQL itself.`,
        { cause: error },
      );
    throw error instanceof StartupError ? error : unreachable(setting, url, error);
  }
}

function unreachable(setting: string, url: string, cause: unknown): StartupError {
  const reason = cause instanceof AggregateError ? cause.errors.map(String).join(', ') : String(cause);
  return new StartupError(
    `The database ${databaseName(url)} cannot be used (${reason}): check ${setting}, and that PostgreSQL runs there.`,
    { cause },
  );
}

/** Returns the name and the hosts of a database, without the login of its URL. */
export function databaseName(url: string): string {
  const urls = hostUrls(url).map((single) => new URL(single));
  const hosts = urls.map(({ host }) => host || 'the local socket').join(', ');
  return `${urls[0]?.pathname.slice(1)} on ${hosts}`;
}
