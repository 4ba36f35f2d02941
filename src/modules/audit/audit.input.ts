import { z } from 'zod';
import { formatted, id, text } from '../../operations/input.js';
import { connectionArguments } from '../../operations/paging.js';

const time = formatted(
  64,
  (value) => z.iso.datetime({ offset: true }).safeParse(value).success,
  'invalid_time',
  'must be a time such as 2026-03-02T09:30:00Z',
).meta({ format: 'date-time' });

export const AuditLogFilter = z.object({
  actor: text({ max: 200, soughtOnly: true })
    .nullish()
    .describe('Only what this account did, or what was done with the API key of this id.'),
  kind: text({ max: 100, soughtOnly: true })
    .nullish()
    .describe('Only lines of this kind, such as `app.approved`.'),
  appId: id('app').nullish(),
  developerId: id('developer').nullish(),
  keyId: id('API key').nullish(),
  requestId: text({ max: 200, soughtOnly: true }).nullish().describe('Only what this request did.'),
  from: time.nullish().describe('Only from this time on.'),
  to: time.nullish().describe('Only before this time.'),
});

export const ListAuditLog = AuditLogFilter.extend(connectionArguments);
