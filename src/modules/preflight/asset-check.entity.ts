import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { AssetProblem, ImageType } from './asset.rules.js';

/** The latest result of checking one URL of one revision of a listing. Reviewers and developers see its problem as a finding. */
@Entity({ tableName: 'asset_checks' })
export class AssetCheck {
  /** The id of the app or version. */
  @PrimaryKey({ type: 'uuid' })
  listingId!: string;

  @PrimaryKey({ type: 'integer' })
  revision!: number;

  @PrimaryKey({ type: 'text' })
  field!: string;

  /** Also set for a version: the rows are deleted together with the app. */
  @Property({ type: 'uuid' })
  appId!: string;

  @Property({ type: 'text' })
  url!: string;

  @Property({ type: 'boolean' })
  ok!: boolean;

  @Property({ type: 'integer', nullable: true })
  width: number | null = null;

  @Property({ type: 'integer', nullable: true })
  height: number | null = null;

  @Property({ type: 'text', nullable: true })
  type: ImageType | null = null;

  @Property({ type: 'integer', nullable: true })
  bytes: number | null = null;

  @Property({ type: 'text', nullable: true })
  sha256: string | null = null;

  /** The host that sent the image, after redirects. */
  @Property({ type: 'text', nullable: true })
  host: string | null = null;

  @Property({ type: 'json', nullable: true })
  problem: AssetProblem | null = null;

  @Property({ type: 'datetime', length: 3 })
  checkedAt!: Date;
}
