import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { ServiceError } from '../../errors.js';

const maxChanges = 5;
const windowSeconds = 24 * 60 * 60;

/**
 * Refuses a change of the e-mail address after five within 24 hours (D110): each one mails an address that may be a
 * stranger's. Counts the lines of the audit log, so whoever calls it must hold the developer's row.
 */
export async function requireEmailChange(em: EntityManager, developerId: string): Promise<void> {
  const { rows } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from created_at - now()) + ${windowSeconds})::int as seconds from audit_events
    where developer_id = ${developerId} and kind = 'developer.email-changed'
      and created_at > now() - make_interval(secs => ${windowSeconds})
    order by created_at desc offset ${maxChanges - 1} limit 1`.execute(em.getKysely());
  const [fifthLast] = rows;
  if (!fifthLast) return;
  const retryAfterSeconds = Math.max(1, fifthLast.seconds);
  const hours = Math.ceil(retryAfterSeconds / 3600);
  throw new ServiceError(
    'RATE_LIMITED',
    `The e-mail address can be changed ${maxChanges} times within 24 hours. Try again in ${hours} ${hours === 1 ? 'hour' : 'hours'}; everything else of the profile can be changed.`,
    [],
    { retryAfterSeconds },
  );
}
