import { z } from 'zod';
import { cursor, slug, text } from '../../operations/input.js';
import { connectionArguments } from '../../operations/paging.js';
import { Environment } from '../apps/app.entity.js';
import { Category } from '../apps/listing.entity.js';
import { isCursor } from './catalog.cursor.js';
import { AppSort } from './catalog.types.js';

const environment = z.enum(Environment).nullish().describe('Only apps for this environment.');
const limit = z
  .int()
  .min(1)
  .overwrite((value) => Math.min(value, 100))
  .nullish()
  .describe('How many to return: 20 unless told; above 100 means 100.');

export const AppFilter = z.object({
  category: z.enum(Category).nullish().describe('Only apps of this category.'),
  environment,
  featured: z.boolean().nullish().describe('Only featured apps, or only the others.'),
  search: text({ min: 0, max: 100, soughtOnly: true })
    .nullish()
    .describe('Words to look for; a typo in a name is forgiven. Empty means none.'),
});

const sort = z
  .enum(AppSort)
  .nullish()
  .describe('The order: `relevance` with a search, else `popular`, unless told.');

export const BrowseApps = AppFilter.extend({
  sort,
  page: z.int().min(1).max(1_000_000).nullish().describe('Which page, from 1.'),
  limit,
});

/** A cursor may contain a name. */
const maxCursorLength = 1000;

export const Apps = AppFilter.extend({
  sort,
  first: connectionArguments.first,
  // The service checks that the cursor belongs to this order and filter.
  after: cursor(maxCursorLength, isCursor)
    .nullish()
    .describe('The `endCursor` of the page before, in the same order and with the same filter.'),
});

export const Suggest = z.object({
  prefix: text({ min: 0, max: 100, soughtOnly: true }).describe(
    'What has been typed so far; nothing suggests nothing.',
  ),
  first: z
    .int()
    .min(1)
    .overwrite((value) => Math.min(value, 100))
    .nullish()
    .describe('How many to return: 10 unless told, 100 at most.'),
});

export const FeaturedApps = z.object({ environment, limit });
export const Slug = z.object({ slug: slug() });
