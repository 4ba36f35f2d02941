import { DeveloperStatus } from '../../auth/developer-status.js';
import { ServiceError } from '../../errors.js';
import type { Developer } from './developer.entity.js';

/** Rejects an action on a suspended developer (D42). */
export function requireReinstated({ status }: Developer, action: 'verify' | 'unverify'): void {
  if (status !== DeveloperStatus.SUSPENDED) return;
  throw new ServiceError(
    'INVALID_TRANSITION',
    `The developer is suspended: reinstate the account before you ${action} it.`,
  );
}
