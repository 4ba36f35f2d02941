import { attempt } from '../../operations/allowed-actions.js';
import type { Context } from '../../operations/context.js';
import { createApiKey } from '../api-keys/api-key.contract.js';
import { createApp, myApps } from '../apps/app.contract.js';
import * as contract from './developer.contract.js';
import type { Developer } from './developer.entity.js';
import { requireReinstated } from './developer.guards.js';

/** Rejects callers who may not list the apps of a developer: it needs what `myApps` needs, or an administrator. */
export async function requireAppReader(context: Context): Promise<void> {
  if (!(await context.isAdministrator())) myApps.policy.admit(await context.caller(), context.door);
}

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
