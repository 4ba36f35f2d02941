import { admin } from '../../auth/policy.js';
import { query } from '../../operations/operation.js';
import { ListAuditLog } from './audit.input.js';
import { AuditEventConnection } from './audit.types.js';

export const auditLog = query({
  summary: 'Reads the audit log, newest first: every act of an administrator and every change of state.',
  policy: admin({ ownAllowed: 'It only reads.' }),
  input: ListAuditLog,
  output: AuditEventConnection,
  run: (services, _caller, input) => services.auditLog.list(input),
});
