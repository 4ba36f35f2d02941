import { z } from 'zod';
import { slug, text } from '../../operations/input.js';
import { CreateApp } from './listing.input.js';

/** A long text is written in the listing file itself, or in a Markdown file beside it. */
const orFile = (schema: z.ZodType, description: string) =>
  z
    .union([
      schema,
      z.strictObject({
        file: text({ max: 1000 }).describe('Path of a Markdown file, relative to the listing file.'),
      }),
    ])
    .nullish()
    .describe(`${description} The text itself, or {"file": "…"} with the path of a Markdown file.`);

/**
 * The file `marketplace.json`, in which developers keep a listing in their repository (D400): the fields of a new app, and
 * the slug of the app once it exists.
 */
export const ListingFile = z
  .strictObject({
    $schema: z
      .string()
      .optional()
      .describe('Address of this schema, with which editors complete and check the file.'),
    app: slug()
      .optional()
      .describe(
        'Slug of the app that the listing belongs to. `marketplace init` and the first `marketplace push` write it.',
      ),
    ...CreateApp.shape,
    releaseNotes: orFile(
      CreateApp.shape.releaseNotes.unwrap().unwrap(),
      'What is new in this release, in Markdown.',
    ),
    longDescription: orFile(
      CreateApp.shape.longDescription.unwrap().unwrap(),
      'Full description in Markdown.',
    ),
  })
  .describe(
    'A listing of the marketplace, kept as a file. Fields that are left out stay as they are on the server; null clears an optional field.',
  );

/** Returns the JSON Schema of the file, as `schema/listing.schema.json` has it. */
export function listingFileSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(ListingFile, { io: 'input', reused: 'inline' });
  return { $schema, title: 'marketplace.json', ...schema };
}
