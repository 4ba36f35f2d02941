import { z } from 'zod';
import { id, text, webUrl } from '../../operations/input.js';
import { Environment } from './app.entity.js';
import { Category } from './listing.entity.js';

const maxScreenshots = 6;

const ScreenshotInput = z
  .strictObject({
    url: webUrl().describe('Public URL of the image: PNG or JPG, at least 1280×720 pixels.'),
    caption: text({ min: 0, max: 200 }).nullish().describe('What the screenshot shows.'),
    order: z
      .int()
      .min(0)
      .max(1000)
      .nullish()
      .describe('Sort position; the lowest comes first. Default: the position in the list, from 0.'),
  })
  .meta({ id: 'ScreenshotInput', description: 'One screenshot of an app.' });
export type ScreenshotInput = z.output<typeof ScreenshotInput>;

const required = {
  name: text({ max: 100 }).describe('Display name, such as "Acme Notes".'),
  description: text({ max: 500, multiline: true }).describe(
    'Short description shown in lists: one or two sentences.',
  ),
  category: z.enum(Category).describe('The category it is listed in.'),
};
const optional = {
  longDescription: text({ min: 0, max: 20_000, multiline: true })
    .nullish()
    .describe('Full description in Markdown.'),
  logoUrl: webUrl().nullish().describe('URL of the logo: a square PNG or JPG, at least 512×512 pixels.'),
  bannerUrl: webUrl().nullish().describe('URL of the banner: a PNG or JPG of 1200×600 pixels.'),
  websiteUrl: webUrl().nullish().describe("URL of the app's website."),
  oauthClientId: text({ min: 0, max: 200 })
    .nullish()
    .describe("Id of the app's OAuth client, which support sets up."),
  screenshots: z
    .array(ScreenshotInput)
    .max(maxScreenshots)
    .nullish()
    .describe(
      'The screenshots, at most six; a submission needs at least two. They replace all current screenshots.',
    ),
};
/** The fields that REST does not have (D381). */
const graphqlOnly = {
  versionNumber: text({ min: 0, max: 40 })
    .nullish()
    .describe('Number of the release, such as `2.1.0`: any text of at most 40 characters.'),
  releaseNotes: text({ min: 0, max: 5_000, multiline: true })
    .nullish()
    .describe('What is new in this release, in Markdown.'),
};
export const graphqlOnlyFields = Object.keys(graphqlOnly);

export const CreateApp = z
  .object({
    ...required,
    environment: z
      .enum(Environment)
      .describe('The environment of the host product that it runs in. It cannot be changed later.'),
    ...optional,
    ...graphqlOnly,
  })
  .describe('The fields of a new app.');

export const AppChanges = z
  .object({
    name: required.name.optional(),
    description: required.description.optional(),
    category: required.category.optional(),
    ...optional,
    ...graphqlOnly,
  })
  .describe('Changes to a listing. Absent fields stay as they are; `null` clears an optional field.');

export const AppId = z.object({ id: id('app') });
