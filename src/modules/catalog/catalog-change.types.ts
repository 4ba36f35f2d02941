import 'reflect-metadata';
import { Field, ObjectType } from 'type-graphql';
import { PublicApp } from './catalog.types.js';

/** An event of `catalogChanged`. */
@ObjectType({ description: 'Reports that the listing of a public app has changed, appeared or disappeared.' })
export class CatalogChange {
  @Field(() => String, {
    nullable: true,
    description:
      'Slug of the app; null if several apps may have changed, or if events were missed: then read the lists again.',
  })
  slug!: string | null;

  @Field(() => PublicApp, {
    nullable: true,
    description: 'The app as it is now; null if it is not public, or if `slug` is null.',
  })
  app!: PublicApp | null;
}
