import type { DeveloperCaller } from '../../auth/caller.js';
import { insufficientScope } from '../../auth/policy.js';
import { ServiceError } from '../../errors.js';
import { type ApiKey, ApiKeyStatus } from './api-key.entity.js';

/** Rejects the rotation of a key that has more scopes than the caller, was already rotated, or is not active. */
export function requireRotatable(caller: DeveloperCaller, key: ApiKey): void {
  if (caller.kind === 'key' && !key.scopes.every((scope) => caller.scopes.has(scope)))
    throw insufficientScope(key.scopes, caller.scopes);
  if (key.trustedPublisherId)
    throw new ServiceError(
      'INVALID_TRANSITION',
      'This key belongs to a pipeline, which gets a new one by itself. It cannot be rotated.',
    );
  if (key.successorId)
    throw new ServiceError(
      'INVALID_TRANSITION',
      `This key was already rotated: rotate its replacement (id ${key.successorId}).`,
    );
  if (key.status !== ApiKeyStatus.ACTIVE)
    throw new ServiceError(
      'INVALID_TRANSITION',
      `This key is ${key.status} and cannot be rotated. Create a new one.`,
    );
}
