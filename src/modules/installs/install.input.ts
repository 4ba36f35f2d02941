import { z } from 'zod';
import { slug, text } from '../../operations/input.js';

export const Install = z
  .object({
    installationId: text({ max: 200 })
      .nullish()
      .describe(
        'Id of the installation, chosen by the client. Repeated installs with the same id count once per app.',
      ),
    accountUserId: text({ max: 128 }).nullish().describe('Id of the account that installed the app.'),
    version: text({ min: 0, max: 50 }).nullish().describe('The installed version, such as `1.4.2`.'),
  })
  .describe('Details of an install.');

export const RecordInstall = Install.extend({ slug: slug() });
