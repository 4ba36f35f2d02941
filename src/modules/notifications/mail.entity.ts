import { Entity, Property } from '@mikro-orm/decorators/legacy';
import { BaseEntity } from '../../db/base.entity.js';

/** A mail that was sent, or kept for the mailbox page. Its id is the job's, so that none is sent twice. */
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
}
