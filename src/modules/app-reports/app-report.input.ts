import { z } from 'zod';
import { id, slug, text } from '../../operations/input.js';
import { connectionArguments } from '../../operations/paging.js';
import { AppReportReason } from './app-report.entity.js';

export const ReportApp = z.object({
  slug: slug(),
  reason: z.enum(AppReportReason).describe('The kind of problem.'),
  text: text({ min: 0, max: 2000, multiline: true })
    .nullish()
    .describe(
      'What is wrong, such as "It asks for my password of another service.". Required with OTHER. Only administrators read it.',
    ),
});
export const ListAppReports = z.object(connectionArguments);
export const DismissAppReports = z.object({ id: id('app') });
