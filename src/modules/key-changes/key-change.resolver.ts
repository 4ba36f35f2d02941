import { Resolver } from 'type-graphql';
import { Exposes } from '../../operations/expose.js';
import * as contract from './key-change.contract.js';

/** The GraphQL fields that undo what was done with API keys. */
@Resolver()
@Exposes(contract)
export class KeyChangeResolver {}
