import { Entity, Property } from '@mikro-orm/decorators/legacy';
import { BaseEntity } from '../../operations/base.entity.js';
import type { PreparedMail } from './mail.layout.js';

/** A mail that was sent, or kept for the mailbox page; or a notice that is gathered for one. Its id is the job's, so that none is sent twice. */
@Entity({ tableName: 'mails' })
export class Mail extends BaseEntity {
  @Property({ type: 'text' })
  kind!: string;

  @Property({ type: 'text' })
  recipient!: string;

  @Property({ type: 'text' })
  subject!: string;

  @Property({ type: 'text' })
  messageId!: string;

  /** Kept only where there is no mail server: what was sent is nobody's to read here. */
  @Property({ type: 'text', nullable: true })
  html: string | null = null;

  @Property({ type: 'text', nullable: true })
  text: string | null = null;

  /** The mail that this notice is gathered for, whose id is its job's; null: it is a mail of its own. */
  @Property({ type: 'uuid', nullable: true })
  digestId: string | null = null;

  /** Until when further notices join it. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  digestDueAt: Date | null = null;

  /** What the notice says, until its digest is sent. */
  @Property({ type: 'json', nullable: true })
  notice: Pick<PreparedMail, 'to' | 'at' | 'content'> | null = null;
}
