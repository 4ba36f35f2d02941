import type { Context } from '../../operations/context.js';
import { myApps } from '../apps/app.contract.js';

/** Rejects callers who may not list the apps of a developer: it needs what `myApps` needs, or an administrator. */
export async function requireAppReader(context: Context): Promise<void> {
  if (!(await context.isAdministrator())) myApps.policy.admit(await context.caller(), context.door);
}
