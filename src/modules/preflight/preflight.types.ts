import 'reflect-metadata';
import { Field, Int, ObjectType } from 'type-graphql';
import { Finding } from '../listings/finding.types.js';

/** An image as the automatic checks have measured it. */
@ObjectType({ description: 'An image of a listing, as the automatic checks have measured it.' })
export class MeasuredImage {
  @Field(() => String, {
    description: 'The field of the listing: `logoUrl`, `bannerUrl` or `screenshots.0.url`.',
  })
  field!: string;

  @Field(() => String, { description: 'URL of the image.' })
  url!: string;

  @Field(() => Boolean, { description: 'True if the image meets all rules. If not, a finding says why.' })
  ok!: boolean;

  @Field(() => Int, { nullable: true, description: 'Width in pixels; null if it could not be measured.' })
  width!: number | null;

  @Field(() => Int, { nullable: true, description: 'Height in pixels; null if it could not be measured.' })
  height!: number | null;

  @Field(() => Int, { nullable: true, description: 'Size of the file in bytes; null if it was not read.' })
  bytes!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Format of the file, such as `png`; null if it is none that can be read.',
  })
  type!: string | null;
}

/** The result of `preflight`. */
@ObjectType({ description: 'The result of all automatic checks of a listing.' })
export class Preflight {
  @Field(() => Boolean, {
    description: 'True if a submission would pass the checks: no finding has the severity ERROR.',
  })
  ready!: boolean;

  @Field(() => [Finding], {
    description:
      'Everything that the checks found: errors and warnings. Empty if there is nothing to improve.',
  })
  findings!: Finding[];

  @Field(() => [MeasuredImage], {
    description:
      'The images of the listing as they were fetched in the last 5 minutes (with a problem: in the last minute); empty if the service does not check images.',
  })
  images!: MeasuredImage[];
}
