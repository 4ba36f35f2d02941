import { DeveloperStatus } from '../../auth/developer-status.js';
import { notVerified, requireNotSuspended } from '../../auth/policy.js';
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

/** Rejects an action of somebody who has read an earlier state of the developer (D343). Without a time there is no check. */
export function requireUnchangedSince({ updatedAt }: Developer, seen: string | null | undefined): void {
  if (seen == null || Date.parse(seen) === updatedAt.getTime()) return;
  throw new ServiceError(
    'REVISION_CONFLICT',
    'The profile has changed since you read it. Read it again, and repeat the request if it still applies.',
    [],
    { extensions: { updatedAt: updatedAt.toISOString() } },
  );
}

/** Rejects developers who may not submit: suspended or unverified ones, and those whose address another account has proven (D327). */
export function requireSubmitter(developer: Developer): void {
  requireNotSuspended(developer);
  if (developer.status !== DeveloperStatus.VERIFIED) throw notVerified();
  if (!developer.emailLost) return;
  const message = 'email belongs to another account, which has proven it. Give another one.';
  throw new ServiceError(
    'VALIDATION_FAILED',
    'Another account has proven that your e-mail address is its own. Give another one in your profile (updateMe) before you submit.',
    [{ field: 'email', code: 'taken', message }],
  );
}
