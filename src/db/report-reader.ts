import type { EntityManager } from '@mikro-orm/postgresql';
import type { RawBuilder } from 'kysely';
import type { Replicas } from './replicas.js';

/** Executes statements of reports, which may read many rows. */
export interface ReportReader {
  rows<Row extends object>(query: RawBuilder<Row>): Promise<Row[]>;
}

/** Reads reports from a replica, or over the connections of the ORM where there is none that has everything. */
export const reportReader = (em: EntityManager, replicas: Replicas | null): ReportReader => ({
  async rows<Row extends object>(query: RawBuilder<Row>) {
    const db = em.getKysely();
    const onReplica = replicas && (await replicas.report(query.compile(db)));
    return onReplica ?? (await query.execute(db)).rows;
  },
});
