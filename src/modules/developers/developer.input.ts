import { z } from 'zod';
import { DeveloperStatus } from '../../auth/developer-status.js';
import { email, id, reason, text, webUrl } from '../../operations/input.js';
import { connectionArguments } from '../../operations/paging.js';

const name = text({ max: 100 }).describe('The name shown beside their apps.');
const address = email().describe('Where notifications go; one developer per address.');
const optional = {
  companyName: text({ min: 0, max: 120 }).nullish().describe('The company, if any.'),
  websiteUrl: webUrl().nullish().describe("The developer's website."),
  bio: text({ min: 0, max: 2000, multiline: true }).nullish().describe('A few words about the developer.'),
};

export const RegisterDeveloper = z.object({
  name,
  email: address,
  accountUserId: text({ max: 128 }).describe("The account's identifier: the `sub` of the token."),
  ...optional,
});

export const UpdateMe = z.object({ name: name.optional(), email: address.optional(), ...optional });

export const DeveloperId = z.object({ id: id('developer') });
export const DeveloperIdAndReason = DeveloperId.extend({ reason: reason() });

export const ListDevelopers = z.object({
  status: z.enum(DeveloperStatus).nullish().describe('Only those in this state.'),
  search: text({ min: 0, max: 100, soughtOnly: true })
    .nullish()
    .describe('Part of a name, company, e-mail address or account id.'),
  ...connectionArguments,
});
