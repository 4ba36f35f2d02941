import 'reflect-metadata';
import { type Opt, type Ref, t } from '@mikro-orm/core';
import { Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { FullTextType } from '@mikro-orm/postgresql';
import { Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql';

/** One class is the entity and the GraphQL type, as the manuals of both show. */
@ObjectType()
@Entity({ tableName: 'developers' })
export class Developer {
  @PrimaryKey({ type: 'uuid', hidden: true })
  id!: string;

  @Field(() => String)
  @Property({ type: 'text' })
  name!: string;

  @Field(() => String, { nullable: true })
  @Property({ type: 'text', nullable: true })
  companyName!: string | null;

  @Field(() => String, { nullable: true })
  @Property({ type: 'text', nullable: true })
  websiteUrl!: string | null;

  @Property({ type: 'text', hidden: true })
  status!: string;
}

@ObjectType()
@Entity({ tableName: 'apps' })
export class App {
  @Field(() => ID)
  @PrimaryKey({ type: 'uuid' })
  id!: string;

  @Field(() => Developer)
  @ManyToOne(() => Developer)
  developer!: Developer;

  @Field(() => String)
  @Property({ type: 'text' })
  slug!: string;

  @Field(() => String)
  @Property({ type: 'text' })
  name!: string;

  @Field(() => String)
  @Property({ type: 'text' })
  description!: string;

  @Field(() => String, { nullable: true })
  @Property({ type: 'text', nullable: true })
  longDescription!: string | null;

  @Field(() => String)
  @Property({ type: 'text' })
  category!: string;

  @Field(() => String)
  @Property({ type: 'text' })
  environment!: string;

  @Field(() => String, { nullable: true })
  @Property({ type: 'text', nullable: true })
  logoUrl!: string | null;

  @Property({ type: 'text', nullable: true })
  bannerUrl!: string | null;

  @Property({ type: 'text', nullable: true })
  websiteUrl!: string | null;

  @Property({ type: t.json })
  screenshots!: unknown[];

  @Property({ type: 'text' })
  status!: string;

  @Field(() => Boolean)
  @Property({ type: 'boolean' })
  featured!: boolean;

  @Field(() => Int)
  @Property({ type: 'integer' })
  installCount!: number;

  @Property({ type: 'integer' })
  reviewCount!: number;

  @Field(() => Float)
  @Property({ type: 'double' })
  averageRating!: number;

  @Property({ type: 'datetime', nullable: true })
  approvedAt!: Date | null;

  @Property({ type: 'datetime' })
  createdAt!: Date;

  @Property({ type: 'datetime' })
  updatedAt!: Date;

  @Property({ type: new FullTextType('english'), lazy: true, hidden: true, persist: false })
  search!: Opt<string>;
}

@Entity({ tableName: 'installations' })
export class Installation {
  @PrimaryKey({ type: 'uuid' })
  id: string = crypto.randomUUID();

  @ManyToOne(() => App, { ref: true })
  app!: Ref<App>;

  @Property({ type: 'text' })
  installationId!: string;

  @Property({ type: 'datetime' })
  createdAt: Opt<Date> = new Date();
}

@Entity({ tableName: 'api_keys' })
export class ApiKey {
  @PrimaryKey({ type: 'uuid' })
  id!: string;

  @Property({ type: 'blob' })
  hash!: Uint8Array;

  @Property({ type: 'datetime' })
  expiresAt!: Date;

  @Property({ type: 'datetime', nullable: true })
  revokedAt!: Date | null;

  @ManyToOne(() => Developer)
  developer!: Developer;
}

@ObjectType()
export class Pagination {
  @Field(() => Int)
  page!: number;

  @Field(() => Int)
  limit!: number;

  @Field(() => Int)
  total!: number;

  @Field(() => Int)
  totalPages!: number;
}

@ObjectType()
export class AppPage {
  @Field(() => [App])
  apps!: App[];

  @Field(() => Pagination)
  pagination!: Pagination;
}

@ObjectType()
export class InstallReceipt {
  @Field(() => String)
  slug!: string;

  @Field(() => Int)
  installCount!: number;
}

@InputType()
export class RecordInstallInput {
  @Field(() => String, { nullable: true })
  installationId?: string;
}

@InputType()
export class AppFilter {
  @Field(() => String, { nullable: true })
  category?: string;

  @Field(() => String, { nullable: true })
  environment?: string;

  featured?: boolean;
  search?: string;
}
