import type { Ref } from '@mikro-orm/core';
import { Entity, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { BaseEntity } from '../../db/base.entity.js';
import { App } from '../apps/app.entity.js';

/** One recorded install of an app. */
@Entity({ tableName: 'installations' })
export class Installation extends BaseEntity {
  @ManyToOne(() => App, { ref: true })
  app!: Ref<App>;

  /** Chosen by the client; unique per app. */
  @Property({ type: 'text', nullable: true })
  installationId: string | null = null;

  @Property({ type: 'text', nullable: true })
  accountUserId: string | null = null;

  @Property({ type: 'text', nullable: true })
  version: string | null = null;
}
