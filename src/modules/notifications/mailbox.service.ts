import type { EntityManager } from '@mikro-orm/postgresql';
import { validate as isUuid } from 'uuid';
import { Mail } from './mail.entity.js';

/** The mails that were kept because there is no mail server. */
export class MailboxService {
  constructor(private readonly fork: () => EntityManager) {}

  /** Newest first, without their bodies. Their ids are those of their jobs, which sort by age. */
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
