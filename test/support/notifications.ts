import type { Service } from './service.js';

/** The notifications that are recorded for a developer, oldest first. */
export async function notificationsOf(
  service: Pick<Service, 'sql'>,
  developerId: string,
): Promise<Record<string, unknown>[]> {
  const rows = await service.sql<{ data: Record<string, unknown> }>(
    "select data from pgboss.job where name = 'notifications' and data->>'developerId' = $1 order by created_on, id",
    [developerId],
  );
  return rows.map(({ data: { eventId: _, facts: __, ...notification } }) => notification);
}
