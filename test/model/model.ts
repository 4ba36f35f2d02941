import type { Api, Input } from '../support/api-client.js';
import { catalog } from './catalog.js';
import { listings } from './listings.js';
import { people } from './people.js';
import { admit, type Bearer, type Operation, Refusal, ruleOf } from './rules.js';
import { type Act, type Answer, refuse, type World } from './world.js';

/** The mistake in an input: a value; a type, which GraphQL notices first; or something that only GraphQL minds. */
export type Flaw = 'value' | 'type' | 'graphql';

/** A call to the model. */
export interface Request {
  operation: Operation;
  api: Api;
  bearer: Bearer;
  input: Input;
  flaw: Flaw | null;
}

/** The predicted response: an error code, or data. */
export type Prediction = { code: string } | ({ code: null } & Answer);

const acts: Record<Operation, Act> = { ...people, ...listings, ...catalog };

/** Predicts the response to a call, and changes the world like the call. */
export function predict(world: World, { operation, api, bearer, input, flaw }: Request): Prediction {
  try {
    if (api === 'graphql' && (flaw === 'type' || flaw === 'graphql')) refuse('VALIDATION_FAILED');
    const developer = admit(ruleOf(operation), bearer, api, (by) => world.ownerOf(by));
    if (flaw === 'type' || flaw === 'value') refuse('VALIDATION_FAILED');
    // Acts whose rule needs no developer do not use one.
    return { code: null, ...acts[operation](world, input, developer!, bearer) };
  } catch (refusal) {
    if (refusal instanceof Refusal) return { code: refusal.code };
    throw refusal;
  }
}
