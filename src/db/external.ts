import { StartupError } from '../errors.js';
import { createClient } from './pool.js';

const MIN_MAJOR_VERSION = 15;

/** Checks that the PostgreSQL of DATABASE_URL can be reached and is recent enough; throws a StartupError otherwise. */
export async function requireExternalDatabase(url: string): Promise<void> {
  const client = createClient({ url, purpose: 'tools', connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string }>(
      "SELECT current_setting('server_version_num') AS version",
    );
    const major = Math.floor(Number(rows[0]?.version) / 10_000);
    if (major < MIN_MAJOR_VERSION) {
      throw new StartupError(
        `DATABASE_URL leads to PostgreSQL ${major}, and PostgreSQL ${MIN_MAJOR_VERSION} or later is needed.`,
      );
    }
  } catch (error) {
    throw error instanceof StartupError ? error : unreachable(url, error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function unreachable(url: string, cause: unknown): StartupError {
  // The full URL is not repeated because it contains the password.
  const { host, pathname } = new URL(url);
  const reason = cause instanceof AggregateError ? cause.errors.map(String).join(', ') : String(cause);
  return new StartupError(
    `The database ${pathname.slice(1)} on ${host || 'the local socket'} cannot be used (${reason}): check DATABASE_URL, and that PostgreSQL runs there.`,
    { cause },
  );
}
