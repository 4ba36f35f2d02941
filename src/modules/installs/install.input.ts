import { z } from 'zod';
import { slug, text } from '../../operations/input.js';

export const Install = z.object({
  installationId: text({ max: 200 })
    .nullish()
    .describe("The installation's own id: the same one counts once per app."),
  accountUserId: text({ max: 128 }).nullish().describe('The account that installed it.'),
  version: text({ min: 0, max: 50 }).nullish().describe('The version installed.'),
});

export const RecordInstall = Install.extend({ slug: slug() });
