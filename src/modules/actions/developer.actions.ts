import { attempt } from '../../operations/allowed-actions.js';
import { createApiKey } from '../api-keys/api-key.contract.js';
import { createApp } from '../apps/app.contract.js';
import * as contract from '../developers/developer.contract.js';
import type { Developer } from '../developers/developer.entity.js';
import { requireReinstated } from '../developers/developer.rules.js';

/** The actions of a developer on their own account. */
export const developerAttempts = {
  updateMe: attempt(contract.updateMe),
  createApiKey: attempt(createApiKey),
  createApp: attempt(createApp),
};

/** The actions of an administrator on a developer. */
export const administratorAttempts = (developer: Developer) => ({
  verifyDeveloper: attempt(contract.verifyDeveloper, () => requireReinstated(developer, 'verify')),
  unverifyDeveloper: attempt(contract.unverifyDeveloper, () => requireReinstated(developer, 'unverify')),
  editDeveloper: attempt(contract.editDeveloper),
  suspendDeveloper: attempt(contract.suspendDeveloper),
  reinstateDeveloper: attempt(contract.reinstateDeveloper),
});
