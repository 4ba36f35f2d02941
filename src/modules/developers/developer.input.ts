import { z } from 'zod';
import { DeveloperStatus } from '../../auth/developer-status.js';
import { email, id, reason, text, time, webUrl } from '../../operations/input.js';
import { connectionArguments } from '../../operations/paging.js';
import { DeveloperSort } from './developer.entity.js';

const name = text({ max: 100 }).describe("Name that is shown with the developer's apps.");
const address = email().describe('E-mail address for notifications. No other developer may use it.');
const optional = {
  companyName: text({ min: 0, max: 120 }).nullish().describe('Company name.'),
  websiteUrl: webUrl().nullish().describe("URL of the developer's website."),
  bio: text({ min: 0, max: 2000, multiline: true }).nullish().describe('Short text about the developer.'),
};

export const RegisterDeveloper = z
  .object({
    name,
    email: address,
    accountUserId: text({ max: 128 }).describe(
      'The account id of the signed-in account: the `sub` of its token.',
    ),
    ...optional,
  })
  .describe('The profile of a new developer.');

export const UpdateMe = z
  .object({ name: name.optional(), email: address.optional(), ...optional })
  .describe(
    'Changes to the developer profile. Absent fields stay as they are; `null` clears an optional field.',
  );

export const DeveloperId = z.object({ id: id('developer') });
export const VerifyDeveloper = DeveloperId.extend({
  updatedAt: time()
    .nullish()
    .describe(
      '`updatedAt` of the developer as you read it. If the profile has changed since, the call fails with REVISION_CONFLICT. Null: no check.',
    ),
});
export const DeveloperIdAndReason = DeveloperId.extend({ reason: reason() });

/** The fields of a profile that an administrator can change. Only the developer gives the address for mails. */
export const DeveloperEdit = z.object({ name: name.optional(), ...optional });
export const EditDeveloper = DeveloperIdAndReason.extend(DeveloperEdit.shape);

export const ListDevelopers = z.object({
  status: z.enum(DeveloperStatus).nullish().describe('Only developers in this state.'),
  search: text({ min: 0, max: 100, soughtOnly: true })
    .nullish()
    .describe(
      'Only developers whose name, company, e-mail address or account id contains this text. Case is ignored.',
    ),
  sort: z.enum(DeveloperSort).nullish().describe('Order of the list. Default: `NEWEST`.'),
  ...connectionArguments,
});
