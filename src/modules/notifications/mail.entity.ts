import { Entity, Property } from '@mikro-orm/decorators/legacy';
import { BaseEntity } from '../../operations/base.entity.js';
import type { PreparedMail } from './mail.types.js';

/**
 * A mail that was sent or stored for the mailbox page, or a notice that waits for its digest. Its id is the id of the
 * job that made it, so that no mail is sent twice.
 */
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

  /** Stored only without a mail server, for the mailbox page; the content of sent mails is not stored. */
  @Property({ type: 'text', nullable: true })
  html: string | null = null;

  @Property({ type: 'text', nullable: true })
  text: string | null = null;

  /** The digest mail that contains this notice, which is also the id of its job; null for a mail that is sent alone. */
  @Property({ type: 'uuid', nullable: true })
  digestId: string | null = null;

  /** Time at which the digest is sent; until then further notices are added to it. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  digestDueAt: Date | null = null;

  /** The content of the notice; cleared when its digest is sent. */
  @Property({ type: 'json', nullable: true })
  notice: Pick<PreparedMail, 'to' | 'at' | 'content'> | null = null;
}
