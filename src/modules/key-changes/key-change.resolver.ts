import { Resolver } from 'type-graphql';
import { call } from '../../operations/call.js';
import type { Context } from '../../operations/context.js';
import { Expose } from '../../operations/expose.js';
import type { RawInput } from '../../operations/parse-input.js';
import * as contract from './key-change.contract.js';

/** The GraphQL fields that undo what was done with API keys. */
@Resolver()
export class KeyChangeResolver {
  @Expose(contract.keyChanges)
  keyChanges(input: RawInput, context: Context) {
    return call(contract.keyChanges, context, input);
  }

  @Expose(contract.undoKeyChanges)
  undoKeyChanges(input: RawInput, context: Context) {
    return call(contract.undoKeyChanges, context, input);
  }

  @Expose(contract.undoProfileChange)
  undoProfileChange(input: RawInput, context: Context) {
    return call(contract.undoProfileChange, context, input);
  }
}
