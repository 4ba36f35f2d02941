import type { AccountCaller, DeveloperCaller } from '../../auth/caller.js';
import { type Actor, asAdministrator, asDeveloper } from '../events/event.service.js';

/** The owner of webhook endpoints, and the actor who manages them. */
export interface EndpointOwner {
  /** Null: the administration. */
  developerId: string | null;
  actor: Actor;
}

export const ownedBy = (caller: DeveloperCaller): EndpointOwner => ({
  developerId: caller.developer.id,
  actor: asDeveloper(caller),
});

/** The administration as the owner. Its endpoints belong to all administrators together. */
export const ownedByAdministration = (caller: AccountCaller): EndpointOwner => ({
  developerId: null,
  actor: asAdministrator(caller),
});
