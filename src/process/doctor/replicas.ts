import type { Client } from 'pg';
import { withClient } from '../../db/pool.js';
import { type CheckResult, reasonOf, resultsOf } from './check-result.js';

const { ok, warn, fail } = resultsOf('database');
const TIMEOUT_MS = 10_000;
const SLOW_SECONDS = 1;

interface ServerIdentity {
  systemId: string;
  /** Differs between the servers of a cluster. */
  startedAt: string;
}

interface ReplicaState extends ServerIdentity {
  isStandby: boolean;
  /** Time since the last replayed commit; 0 if everything that was received is replayed. */
  lagSeconds: number;
  hasReceiver: boolean;
}

const identity = `(select system_identifier::text from pg_control_system()) as "systemId",
    extract(epoch from pg_postmaster_start_time())::text as "startedAt"`;
const stateQuery = `
  select pg_is_in_recovery() as "isStandby", ${identity},
    exists (select from pg_stat_wal_receiver) as "hasReceiver",
    case when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
      else coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0) end::float8
      as "lagSeconds"`;

/** Checks that every server of DATABASE_REPLICA_URLS is a replica of the database and keeps up with it. */
export async function checkReplicas(primary: Client, urls: readonly string[]): Promise<CheckResult[]> {
  if (urls.length === 0) return [];
  const { rows } = await primary.query<ServerIdentity>(`select ${identity}`);
  return Promise.all(urls.map((url) => checkReplica(url, rows[0]!)));
}

async function checkReplica(url: string, primary: ServerIdentity): Promise<CheckResult> {
  // The whole URL is not repeated because it contains the password.
  const name = `the replica on ${new URL(url).host}`;
  const timeouts = { statementMs: TIMEOUT_MS };
  const options = { url, purpose: 'tools', connectionTimeoutMillis: TIMEOUT_MS, timeouts } as const;
  try {
    const { rows } = await withClient(options, (client) => client.query<ReplicaState>(stateQuery));
    return judge(name, rows[0]!, primary);
  } catch (error) {
    return warn(
      `${name} cannot be used (${reasonOf(error)}): reads go to the primary`,
      'Check DATABASE_REPLICA_URLS, and that PostgreSQL runs there.',
    );
  }
}

function judge(name: string, state: ReplicaState, primary: ServerIdentity): CheckResult {
  if (state.systemId !== primary.systemId)
    return fail(`${name} belongs to another database cluster`, 'Correct DATABASE_REPLICA_URLS.');
  if (!state.isStandby && state.startedAt === primary.startedAt)
    return ok(`${name} is the primary at present, so it is not used as a replica`);
  if (!state.isStandby)
    return warn(`${name} is no standby, so it is not used`, 'Make the server a standby again.');
  if (!state.hasReceiver)
    return warn(`${name} does not stream from a primary`, 'Check its primary_conninfo and its log.');
  const lag = `${name} is a standby, ${state.lagSeconds.toFixed(1)} s behind`;
  return state.lagSeconds > SLOW_SECONDS
    ? warn(lag, 'A replica that is more than a second behind is not used for reads: find out why it is slow.')
    : ok(lag);
}
