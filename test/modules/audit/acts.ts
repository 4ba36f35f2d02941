import type { OperationName } from '../../../src/contract.js';
import type { Developer } from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import type { Service } from '../../support/service.js';
import { accountActs } from './account-acts.js';
import { administratorActs } from './administrator-acts.js';
import { developerActs } from './developer-acts.js';
import type { Lined } from './expected-lines.js';

/** The service and the developer of the acts. */
export interface Scene {
  service: Service;
  ada: Developer;
}

/** One operation that changes something. */
export interface Act {
  by: 'developer' | 'administrator' | 'account';
  /** Makes what the act is done to, and returns the input. */
  on: () => Promise<Input>;
  /** The line that the audit log must have afterwards. */
  line: Lined;
  /** Input for the same act where it is refused. */
  refused?: () => Promise<Input>;
}

export type ActDone = Omit<Act, 'by'>;
export type Acts = Partial<Record<OperationName, ActDone>>;

const doneBy = (by: Act['by'], acts: Acts) =>
  Object.fromEntries(Object.entries(acts).map(([name, act]) => [name, { by, ...act }]));

/** Every operation that changes something. */
export const actsOf = (scene: Scene): Partial<Record<OperationName, Act>> => ({
  ...doneBy('developer', developerActs(scene)),
  ...doneBy('account', accountActs(scene)),
  ...doneBy('administrator', administratorActs(scene)),
});
