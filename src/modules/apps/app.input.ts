import { z } from 'zod';
import { id, text, webUrl } from '../../operations/input.js';
import { Environment } from './app.entity.js';
import { Category } from './listing.entity.js';

const maxScreenshots = 6;

const ScreenshotInput = z
  .strictObject({
    url: webUrl().describe('A PNG or JPG of at least 1280×720 pixels, publicly reachable.'),
    caption: text({ min: 0, max: 200 }).nullish().describe('What it shows.'),
    order: z
      .int()
      .min(0)
      .max(1000)
      .nullish()
      .describe('Its position, from zero; its place in the list unless told.'),
  })
  .meta({ id: 'ScreenshotInput', description: 'One picture of an app.' });
export type ScreenshotInput = z.output<typeof ScreenshotInput>;

const required = {
  name: text({ max: 100 }).describe('Its name.'),
  description: text({ max: 500, multiline: true }).describe('One or two sentences, shown in listings.'),
  category: z.enum(Category).describe('What it is for.'),
};
const optional = {
  longDescription: text({ min: 0, max: 20_000, multiline: true })
    .nullish()
    .describe('The whole story, in Markdown.'),
  logoUrl: webUrl().nullish().describe('A square PNG or JPG of at least 512×512 pixels.'),
  bannerUrl: webUrl().nullish().describe('A PNG or JPG of 1200×600 pixels.'),
  websiteUrl: webUrl().nullish().describe("The app's website."),
  oauthClientId: text({ min: 0, max: 200 }).nullish().describe('The OAuth client arranged through support.'),
  screenshots: z
    .array(ScreenshotInput)
    .max(maxScreenshots)
    .nullish()
    .describe('At most six; replaced whole. A submission needs two.'),
};

export const CreateApp = z.object({
  ...required,
  environment: z.enum(Environment).describe('Which environment it runs in; cannot be changed later.'),
  ...optional,
});

/** Only the fields that are sent change; `null` clears an optional one. */
export const AppChanges = z.object({
  name: required.name.optional(),
  description: required.description.optional(),
  category: required.category.optional(),
  ...optional,
});

export const AppId = z.object({ id: id('app') });

/** What the caller believes to be current: `If-Match` at the REST door, `revision` in GraphQL. A set, which no JSON body can hold: only a door can say it. */
const expectedRevisions = {
  expectedRevisions: z
    .custom<ReadonlySet<number>>((value) => value instanceof Set, {
      params: { code: 'unknown_field' },
      message: 'is not a field of this operation. Check its spelling',
    })
    .optional(),
};
export const UpdateApp = AppId.extend({ ...AppChanges.shape, ...expectedRevisions });
export const DeleteApp = AppId.extend(expectedRevisions);
