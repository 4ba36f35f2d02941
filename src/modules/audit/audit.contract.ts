import { admin } from '../../auth/policy.js';
import { query } from '../../operations/operation.js';
import { AuditLogFilter, ListAuditLog } from './audit.input.js';
import { AuditEventConnection } from './audit.types.js';

export const auditLog = query({
  summary: 'Lists the audit log, newest first: every action of an administrator and every change of status.',
  replica: true,
  policy: admin({ ownAllowed: 'It only reads.' }),
  input: ListAuditLog,
  grouped: {
    argument: 'filter',
    type: 'AuditLogFilter',
    description: 'Restricts the audit log to entries that match all given fields.',
    fields: AuditLogFilter,
    optional: true,
  },
  output: AuditEventConnection,
  run: (services, _caller, input) => services.auditLog.list(input),
});
