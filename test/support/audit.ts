import type { Service } from './service.js';

/** A line of the audit log, as it lies in the database. */
export interface AuditLine {
  kind: string;
  actor_kind: string;
  actor_account: string | null;
  actor_key: string | null;
  developer_id: string;
  app_id: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  data: Record<string, unknown>;
  request_id: string;
}

/** The lines that some work leaves, oldest first. */
export async function linesOf(
  service: Pick<Service, 'sql'>,
  work: () => Promise<unknown>,
): Promise<AuditLine[]> {
  const count = 'select count(*)::int as count from audit_events';
  const [before] = await service.sql<{ count: number }>(count);
  await work();
  return service.sql<AuditLine & Record<string, unknown>>(
    'select * from audit_events order by created_at, id offset $1',
    [before!.count],
  );
}
