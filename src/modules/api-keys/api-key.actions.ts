import type { DeveloperCaller } from '../../auth/caller.js';
import { insufficientScope } from '../../auth/policy.js';
import { ServiceError } from '../../errors.js';
import { type ApiKey, ApiKeyStatus } from './api-key.entity.js';

/** What stands in the way of a rotation: scopes that the caller does not hold, or a key that is no longer in use. */
export function refuseRotation(caller: DeveloperCaller, key: ApiKey): void {
  if (caller.kind === 'key' && !key.scopes.every((scope) => caller.scopes.has(scope)))
    throw insufficientScope(key.scopes, caller.scopes);
  if (key.successorId)
    throw new ServiceError(
      'INVALID_TRANSITION',
      `This key was rotated already: rotate the one that took its place (id ${key.successorId}).`,
    );
  if (key.status !== ApiKeyStatus.ACTIVE)
    throw new ServiceError(
      'INVALID_TRANSITION',
      `This key is ${key.status}, and has nothing left to hand on. Create a new one.`,
    );
}
