import type { Ref } from '@mikro-orm/core';
import { Entity, ManyToOne } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { BaseEntity } from '../../operations/base.entity.js';
import { NullableTextColumn, NullableTimeColumn, TextColumn } from '../../operations/shown-column.js';
import { Developer } from '../developers/developer.entity.js';
import { App } from '../listings/app.entity.js';

/** A pipeline that may publish an app without a stored secret. */
@ObjectType({
  description:
    'A pipeline that may publish an app without a stored secret: it exchanges the identity that its forge gives it for a short-lived API key.',
})
@Entity({ tableName: 'trusted_publishers' })
export class TrustedPublisher extends BaseEntity {
  @ManyToOne(() => App, { ref: true, deleteRule: 'cascade' })
  app!: Ref<App>;

  @ManyToOne(() => Developer, { ref: true })
  developer!: Ref<Developer>;

  @TextColumn('Issuer of the identity tokens, such as `https://token.actions.githubusercontent.com`.')
  issuer!: string;

  @TextColumn('Full name of the repository, such as `acme/notes`.')
  repository!: string;

  @NullableTextColumn(
    'Id of the repository at its forge, which a renamed repository keeps and another one of the same name does not have. Null until the first exchange records it, unless it was given.',
  )
  repositoryId: string | null = null;

  @NullableTextColumn(
    'File of the workflow, such as `release.yml`; null if every workflow of the repository may publish.',
  )
  workflow: string | null = null;

  @NullableTextColumn('Deployment environment that the job must use; null if it needs none.')
  environment: string | null = null;

  @NullableTimeColumn('When a pipeline last exchanged its identity for a key (UTC); null if none did.')
  lastUsedAt: Date | null = null;
}
