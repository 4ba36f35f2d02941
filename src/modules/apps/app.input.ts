import { z } from 'zod';
import { id, slug, text } from '../../operations/input.js';
import { connectionArguments } from '../../operations/paging.js';
import { AppStatus } from '../listings/app.entity.js';
import { Category } from '../listings/listing.entity.js';
import { AppChanges, AppId } from '../listings/listing.input.js';
import { AdminAppSort } from './app.types.js';

export const AppSlug = z.object({ slug: slug() });

export const AdminAppFilter = z
  .object({
    status: z.enum(AppStatus).nullish().describe('Only apps in this state.'),
    developerId: id('developer').nullish().describe('Only apps of the developer with this id.'),
    category: z.enum(Category).nullish().describe('Only apps of this category.'),
    featured: z.boolean().nullish().describe('true: only featured apps. false: only apps that are not.'),
    search: text({ min: 0, max: 100, soughtOnly: true })
      .nullish()
      .describe(
        'Only apps whose name contains this text, or whose slug is this text. One or two letters must start a word of the name: `no` finds "My Notes", but not "Casino". Case is ignored. Empty: all apps.',
      ),
  })
  .describe('Restricts the list to apps that match all given fields.');

export const ListAdminApps = AdminAppFilter.extend({
  sort: z.enum(AdminAppSort).nullish().describe('Order of the list. Default: `NEWEST`.'),
  ...connectionArguments,
});

/**
 * The revisions that the caller accepts as current: `If-Match` in REST, `revision` in GraphQL. The type is a `Set`,
 * which JSON cannot express, so that no request body can send it.
 */
const expectedRevisions = {
  expectedRevisions: z
    .custom<ReadonlySet<number>>((value) => value instanceof Set, {
      params: { code: 'unknown_field' },
      message: 'is not a field of this operation. Check its spelling',
    })
    .optional(),
};
export const UpdateApp = AppId.extend({ ...AppChanges.shape, ...expectedRevisions });
export const SubmitApp = AppId.extend(expectedRevisions);
export const DeleteApp = AppId.extend(expectedRevisions);
