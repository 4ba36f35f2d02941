import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { AssetResult } from './asset.checker.js';
import type { AssetProblem } from './asset.rules.js';
import type { ImageType } from './image.header.js';

/** What was found at one address of one revision of a listing: the latest word, kept with the submission. */
@Entity({ tableName: 'asset_checks' })
export class AssetCheck implements AssetResult {
  /** The id of the app or version whose listing it is. */
  @PrimaryKey({ type: 'uuid' })
  listingId!: string;

  @PrimaryKey({ type: 'integer' })
  revision!: number;

  @PrimaryKey({ type: 'text' })
  field!: string;

  /** What goes goes with its app. */
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

  @Property({ type: 'json', nullable: true })
  problem: AssetProblem | null = null;

  @Property({ type: 'datetime', length: 3 })
  checkedAt!: Date;
}
