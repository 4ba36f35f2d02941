import { DeveloperStatus } from '../../auth/developer-status.js';
import { notVerified, requireNotSuspended } from '../../auth/policy.js';
import { ServiceError } from '../../errors.js';
import type { EventChange } from '../events/event.types.js';
import type { Developer } from './developer.entity.js';

/** Returns the old and new values of the given fields that differ from those of the developer; null if none does. */
export function profileChange(
  developer: Developer,
  given: Readonly<Record<string, unknown>>,
): Required<EventChange> | null {
  const changed = Object.entries(given).filter(
    ([field, value]) => value !== undefined && developer[field as keyof Developer] !== value,
  );
  if (changed.length === 0) return null;
  const before = Object.fromEntries(changed.map(([field]) => [field, developer[field as keyof Developer]]));
  return { before, after: Object.fromEntries(changed) };
}

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
