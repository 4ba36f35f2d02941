import type { Ref } from '@mikro-orm/core';
import { Entity, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { BaseEntity } from '../../operations/base.entity.js';
import { Developer } from './developer.entity.js';

/** Result of undoing a change of a profile. KEPT: the developer's account has changed the same fields since. */
export type UndoOutcome = 'REVERTED' | 'KEPT' | 'EMAIL_TAKEN';

/**
 * A change of a profile by an API key, with the exact values before: the audit log shortens long texts. Its id is that
 * of the event in the audit log. It is kept for 30 days.
 */
@Entity({ tableName: 'profile_changes' })
export class ProfileChange extends BaseEntity {
  @ManyToOne(() => Developer, { ref: true })
  developer!: Ref<Developer>;

  @Property({ type: 'uuid' })
  keyId!: string;

  /** The changed fields with their old values. */
  @Property({ type: 'json' })
  before!: Record<string, unknown>;

  /** SHA-256 of the token in the mail that undoes the change. */
  @Property({ type: 'blob' })
  undoHash!: Uint8Array;

  /** Null until the change is undone. */
  @Property({ type: 'text', nullable: true })
  outcome: UndoOutcome | null = null;
}
