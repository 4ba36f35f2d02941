import type { EntityManager } from '@mikro-orm/postgresql';
import { Mail } from './mail.entity.js';

const keptForDays = 30;

/** Removes what is known of old mails: to whom, and about what, is nobody's business for ever (D47). */
export async function removeOldMails(em: EntityManager): Promise<void> {
  const oldest = new Date(Date.now() - keptForDays * 24 * 60 * 60 * 1000);
  await em.nativeDelete(Mail, { createdAt: { $lt: oldest } });
}
