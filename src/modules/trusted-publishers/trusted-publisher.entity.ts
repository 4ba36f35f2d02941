import type { Ref } from '@mikro-orm/core';
import { Entity, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field, GraphQLISODateTime, ObjectType } from 'type-graphql';
import { BaseEntity } from '../../operations/base.entity.js';
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

  @Field(() => String, {
    description: 'Issuer of the identity tokens, such as `https://token.actions.githubusercontent.com`.',
  })
  @Property({ type: 'text' })
  issuer!: string;

  @Field(() => String, { description: 'Full name of the repository, such as `acme/notes`.' })
  @Property({ type: 'text' })
  repository!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Id of the repository at its forge, which a renamed repository keeps and another one of the same name does not have. Null until the first exchange records it, unless it was given.',
  })
  @Property({ type: 'text', nullable: true })
  repositoryId: string | null = null;

  @Field(() => String, {
    nullable: true,
    description:
      'File of the workflow, such as `release.yml`; null if every workflow of the repository may publish.',
  })
  @Property({ type: 'text', nullable: true })
  workflow: string | null = null;

  @Field(() => String, {
    nullable: true,
    description: 'Deployment environment that the job must use; null if it needs none.',
  })
  @Property({ type: 'text', nullable: true })
  environment: string | null = null;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'When a pipeline last exchanged its identity for a key (UTC); null if none did.',
  })
  @Property({ type: 'datetime', length: 3, nullable: true })
  lastUsedAt: Date | null = null;
}
