import type { PoolClient } from 'pg';

/** The state of a server. A server that was promoted, or that is no replica, is no standby. */
export interface ServerState {
  isStandby: boolean;
  /** Null on a server that never was a standby. */
  replayed: string | null;
  isMarked: boolean;
}

const stateQuery = {
  name: 'replica state',
  text: `select pg_is_in_recovery() as "isStandby", pg_last_wal_replay_lsn()::text as replayed,
    exists (select from replication_marks where id = $1) as "isMarked"`,
};

/** Reads the state of the server of a connection. */
export async function readState(client: Pick<PoolClient, 'query'>, mark: string): Promise<ServerState> {
  const { rows } = await client.query<ServerState>({ ...stateQuery, values: [mark] });
  return rows[0]!;
}
