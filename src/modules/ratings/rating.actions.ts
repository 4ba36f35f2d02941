import type { Caller } from '../../auth/caller.js';
import { admittedTo } from '../../operations/allowed-actions.js';
import { myApp } from '../apps/app.contract.js';

/** Returns true for administrators, and for the developer of the app if `myApp` would show it to them. */
export const mayReadApp = (caller: Caller | null, developerId: string): boolean =>
  (caller?.kind === 'account' && caller.isAdmin) || admittedTo(myApp, caller)?.developer.id === developerId;
