import { z } from 'zod';
import { id, text, time } from '../../operations/input.js';
import { connectionArguments } from '../../operations/paging.js';
import { auditKinds } from '../events/event-kind.types.js';

export const AuditLogFilter = z
  .object({
    actor: text({ max: 200, soughtOnly: true })
      .nullish()
      .describe('Only events caused by this account id or with the API key of this id.'),
    kind: text({ max: 100, soughtOnly: true })
      .nullish()
      .describe('Only events of this kind, such as `app.approved`.'),
    eventKind: z.enum(auditKinds).nullish().describe('Only events of this kind, such as `APP_APPROVED`.'),
    appId: id('app').nullish().describe('Only events about the app with this id.'),
    developerId: id('developer').nullish().describe('Only events about the developer with this id.'),
    keyId: id('API key').nullish().describe('Only events about the API key with this id.'),
    requestId: text({ max: 200, soughtOnly: true })
      .nullish()
      .describe('Only events caused by the request with this `X-Request-Id`.'),
    from: time().nullish().describe('Only events at or after this time, such as `2026-03-02T09:30:00Z`.'),
    to: time().nullish().describe('Only events before this time, such as `2026-03-03T09:30:00Z`.'),
  })
  .describe('Filter of the audit log. An event has to match all given fields.');

export const ListAuditLog = AuditLogFilter.extend(connectionArguments);
