import { Resolver } from 'type-graphql';
import { Exposes } from '../../operations/expose.js';
import * as contract from './install.contract.js';

/** The GraphQL fields of installs. */
@Resolver()
@Exposes(contract)
export class InstallResolver {}
