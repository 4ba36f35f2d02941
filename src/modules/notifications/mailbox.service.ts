import type { EntityManager } from '@mikro-orm/postgresql';
import { validate as isUuid } from 'uuid';
import { Mail } from './mail.entity.js';

/** Reads the mails that are stored for the mailbox page because there is no mail server. */
export class MailboxService {
  constructor(private readonly fork: () => EntityManager) {}

  /** Lists the newest mails first, without their bodies. The ids are UUIDv7, so they sort by time. */
  async newest(limit: number): Promise<Omit<Mail, 'html' | 'text'>[]> {
    return this.fork().find(
      Mail,
      { html: { $ne: null } },
      { orderBy: { id: 'desc' }, limit, exclude: ['html', 'text'] },
    );
  }

  async read(id: string): Promise<(Mail & { html: string; text: string }) | null> {
    const mail = isUuid(id) ? await this.fork().findOne(Mail, { id }) : null;
    if (!mail || mail.html === null || mail.text === null) return null;
    return Object.assign(mail, { html: mail.html, text: mail.text });
  }
}
