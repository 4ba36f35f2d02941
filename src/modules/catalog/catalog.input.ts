import { z } from 'zod';
import { cursor, id, slug, text } from '../../operations/input.js';
import { connectionArguments } from '../../operations/paging.js';
import { Environment } from '../listings/app.entity.js';
import { Category } from '../listings/listing.entity.js';
import { AppSort } from './catalog.types.js';

const environment = z.enum(Environment).nullish().describe('Only apps that run in this environment.');
const limit = z
  .int()
  .min(1)
  .overwrite((value) => Math.min(value, 100))
  .nullish()
  .describe('Maximum number of apps to return. Default: 20. Values above 100 are treated as 100.');

export const AppFilter = z
  .object({
    category: z.enum(Category).nullish().describe('Only apps in this category.'),
    environment,
    featured: z
      .boolean()
      .nullish()
      .describe('`true`: only featured apps; `false`: only apps that are not featured. Default: both.'),
    developer: id('developer')
      .nullish()
      .describe('Only apps of the developer with this id, such as `PublicApp.developer.id`.'),
    search: text({ min: 0, max: 100, soughtOnly: true })
      .nullish()
      .describe(
        'Words to search for in names and descriptions. Names with a small typo are found too. Empty text means no search.',
      ),
  })
  .describe('Filters of the catalog. An app has to match all given filters.');

const sort = z
  .enum(AppSort)
  .nullish()
  .describe('Sort order. Default: `relevance` with a search, else `popular`.');

export const BrowseApps = AppFilter.extend({
  sort,
  page: z.int().min(1).max(1_000_000).nullish().describe('Page number, from 1. Default: 1.'),
  limit,
});

/** Longer than other cursors, because it can contain the name of an app. */
const maxCursorLength = 1000;

/** Decodes the parts of a cursor; null for a text that is not a cursor of any list. */
export function decodeCursor(cursor: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** Arguments of a list of apps. The service checks that the cursor belongs to the same sort order and filter. */
export const AppsPage = z.object({
  first: connectionArguments.first,
  after: cursor(maxCursorLength, (value) => decodeCursor(value) !== null)
    .nullish()
    .describe('The `endCursor` of the previous page of the same list, with the same sort order and filter.'),
});

export const Apps = AppFilter.extend({ sort, ...AppsPage.shape });

export const Suggest = z.object({
  prefix: text({ min: 0, max: 100, soughtOnly: true }).describe(
    'The text that was typed so far. Empty text returns no suggestions.',
  ),
  first: z
    .int()
    .min(1)
    .overwrite((value) => Math.min(value, 100))
    .nullish()
    .describe('Maximum number of suggestions to return. Default: 10. Values above 100 are treated as 100.'),
});

export const FeaturedApps = z.object({ environment, limit });
export const Slug = z.object({ slug: slug() });
export const SimilarApps = Slug.extend({
  first: z
    .int()
    .min(1)
    .overwrite((value) => Math.min(value, 20))
    .nullish()
    .describe('Maximum number of apps to return. Default: 3. Values above 20 are treated as 20.'),
});
export const CatalogChanged = z.object({
  slug: slug()
    .nullish()
    .describe('Slug of the app to follow, which need not be public yet. Default: the whole catalog.'),
});
