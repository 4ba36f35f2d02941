import { admin } from '../../auth/policy.js';
import { Nothing } from '../../operations/input.js';
import { query } from '../../operations/operation.js';
import { Administrator } from './administrator.entity.js';
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

export const administrators = query({
  summary:
    'Lists the administrators who have used the service and have a name, the latest changes first; at most 200.',
  policy: admin({ ownAllowed: 'It only reads.' }),
  input: Nothing,
  output: [Administrator],
  run: ({ auditLog }) => auditLog.administrators(),
});
