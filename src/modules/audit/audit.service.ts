import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { validate as isUuid } from 'uuid';
import type { z } from 'zod';
import type { Connection } from '../../operations/connection.types.js';
import { connection, defaultPageSize, positionOf } from '../../operations/paging.js';
import type { AuditLogFilter, ListAuditLog } from './audit.input.js';
import type { AuditActorKind, AuditLogLine } from './audit.types.js';
import { AuditEvent } from './audit-event.entity.js';
import { shortened } from './long-value.rules.js';

/** What administrators read of what everybody did. */
export class AuditLogService {
  constructor(private readonly em: EntityManager) {}

  /** Newest first. */
  async list({ first, after, ...filter }: z.output<typeof ListAuditLog>): Promise<Connection<AuditLogLine>> {
    const size = first ?? defaultPageSize;
    const place = positionOf(after);
    const matching = sql`from audit_events where ${sql.join(conditions(filter), sql` and `)}`;
    const { rows } = await sql<{ id: string }>`select id ${matching}
      ${place ? sql`and (created_at, id) < (${place.at}, ${place.id})` : sql``}
      order by created_at desc, id desc limit ${size + 1}`.execute(this.em.getKysely());
    const counted = await sql<{ count: number }>`select count(*)::int as count ${matching}`.execute(
      this.em.getKysely(),
    );
    const lines = await this.em.find(
      AuditEvent,
      { id: rows.map(({ id }) => id) },
      { orderBy: { createdAt: 'desc', id: 'desc' } },
    );
    return connection(lines, {
      first: size,
      after,
      totalCount: counted.rows[0]?.count ?? 0,
      position: ({ createdAt, id }) => ({ at: createdAt, id }),
      node: lineOf,
    });
  }
}

/** Each has its index, in the order of the list. */
function conditions(filter: z.output<typeof AuditLogFilter>) {
  const { actor, kind, appId, developerId, keyId, requestId, from, to } = filter;
  return [
    sql`true`,
    ...(actor ? [sql`(actor_account = ${actor} or actor_key = ${isUuid(actor) ? actor : null}::uuid)`] : []),
    ...(kind ? [sql`kind = ${kind}`] : []),
    ...(appId ? [sql`app_id = ${appId}`] : []),
    ...(developerId ? [sql`developer_id = ${developerId}`] : []),
    ...(keyId ? [sql`(data->>'keyId' = ${keyId} or data->>'formerKeyId' = ${keyId})`] : []),
    ...(requestId ? [sql`request_id = ${requestId}`] : []),
    ...(from ? [sql`created_at >= ${new Date(from)}`] : []),
    ...(to ? [sql`created_at < ${new Date(to)}`] : []),
  ];
}

const lineOf = ({ createdAt, actorKind, actorKey, ...line }: AuditEvent): AuditLogLine => ({
  id: line.id,
  at: createdAt,
  kind: line.kind,
  // The two lists of capacities are the same, one for the database and one for readers.
  actorKind: actorKind as AuditActorKind,
  actorAccount: line.actorAccount,
  actorKeyId: actorKey,
  developerId: line.developerId,
  appId: line.appId,
  keyId: typeof line.data.keyId === 'string' ? line.data.keyId : null,
  // Lines of the first release hold texts of any length.
  before: shortened(line.before),
  after: shortened(line.after),
  data: line.data,
  requestId: line.requestId,
});
