import type { EntityData, EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { validate as isUuid } from 'uuid';
import type { z } from 'zod';
import type { ReportReader } from '../../db/replicas.js';
import type { Connection } from '../../operations/connection.types.js';
import { connection, defaultPageSize, positionOf } from '../../operations/paging.js';
import { AuditEvent } from '../events/audit-event.entity.js';
import { columns, findEvents } from '../events/audit-event.queries.js';
import { shortenLongValues } from '../events/long-value.rules.js';
import { Administrator } from './administrator.entity.js';
import type { AuditLogFilter, ListAuditLog } from './audit.input.js';
import type { AuditActorKind, AuditLogEntry } from './audit.types.js';

/** The longest list; a marketplace with more administrators shows the ids of those who were away longest. */
const maxAdministrators = 200;

/** Lists the audit log for administrators. */
export class AuditLogService {
  constructor(
    private readonly em: EntityManager,
    private readonly reader: ReportReader,
  ) {}

  async find(ids: readonly string[]): Promise<AuditLogEntry[]> {
    return (await findEvents(this.em, ids)).map(entryOf);
  }

  administrators(): Promise<Administrator[]> {
    const orderBy = { updatedAt: 'desc', accountUserId: 'asc' } as const;
    return this.em.find(Administrator, {}, { orderBy, limit: maxAdministrators });
  }

  async list({ first, after, ...filter }: z.output<typeof ListAuditLog>): Promise<Connection<AuditLogEntry>> {
    const size = first ?? defaultPageSize;
    const place = positionOf(after);
    const matching = sql`from audit_events where ${sql.join(conditions(filter), sql` and `)}`;
    const rows = await this.reader.rows(sql<EntityData<AuditEvent>>`select ${columns} ${matching}
      ${place ? sql`and created_at <= ${place.at} and (created_at, id) < (${place.at}, ${place.id})` : sql``}
      order by created_at desc, id desc limit ${size + 1}`);
    const counted = await this.reader.rows(sql<{ count: number }>`select count(*)::int as count ${matching}`);
    const events = rows.map((row) => this.em.map(AuditEvent, row));
    return connection(events, {
      first: size,
      after,
      totalCount: counted[0]?.count ?? 0,
      position: ({ createdAt, id }) => ({ at: createdAt, id }),
      node: entryOf,
    });
  }
}

/** Each condition has an index in the order of the list. */
function conditions(filter: z.output<typeof AuditLogFilter>) {
  const { actor, kind, eventKind, appId, developerId, keyId, requestId, from, to } = filter;
  return [
    sql`true`,
    ...(actor ? [sql`(actor_account = ${actor} or actor_key = ${isUuid(actor) ? actor : null}::uuid)`] : []),
    ...(kind ? [sql`kind = ${kind}`] : []),
    ...(eventKind ? [sql`kind = ${eventKind}`] : []),
    ...(appId ? [sql`app_id = ${appId}`] : []),
    ...(developerId ? [sql`developer_id = ${developerId}`] : []),
    ...(keyId ? [sql`(data->>'keyId' = ${keyId} or data->>'formerKeyId' = ${keyId})`] : []),
    ...(requestId ? [sql`request_id = ${requestId}`] : []),
    ...(from ? [sql`created_at >= ${new Date(from)}`] : []),
    ...(to ? [sql`created_at < ${new Date(to)}`] : []),
  ];
}

const entryOf = ({ createdAt, actorKind, actorKey, ...event }: AuditEvent): AuditLogEntry => ({
  id: event.id,
  at: createdAt,
  kind: event.kind,
  eventKind: event.kind,
  // Both types have the same values: one is for the database, the other for GraphQL.
  actorKind: actorKind as AuditActorKind,
  actorAccount: event.actorAccount,
  actorKeyId: actorKey,
  developerId: event.developerId,
  appId: event.appId,
  keyId: typeof event.data.keyId === 'string' ? event.data.keyId : null,
  // Events of the first release contain texts of any length.
  before: shortenLongValues(event.before),
  after: shortenLongValues(event.after),
  data: event.data,
  requestId: event.requestId,
});
