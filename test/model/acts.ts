import fc from 'fast-check';
import { type Api, type Input, operationsOfBothApis } from '../support/api-client.js';
import { inputs } from './inputs.js';
import type { Flaw } from './model.js';
import type { Operation } from './rules.js';

/** By whose credential, if not simply the right one. */
const credentials = [
  'their token',
  'a narrow key',
  "anyone's key",
  "anyone's token",
  'admin',
  'none',
  'garbage',
  'mistyped key',
] as const;
export type Credential = 'right' | (typeof credentials)[number];

/** Which app, key or developer it is about, if not one in a state that fits. */
const aims = ['any', "someone else's", 'missing', 'not an id'] as const;
export type Aim = 'fitting' | (typeof aims)[number];

/** A planned act. Its caller and its subject are chosen when it is played, from the state of the world. */
export interface Plan {
  operation: Operation;
  api: Api;
  /** Which developer does it, or has it done to them. */
  who: number;
  by: Credential;
  aim: Aim;
  /** Which of several. */
  nth: number;
  revision: 'current' | 'stale' | null;
  input: Input;
  flaw: Flaw | null;
}

/** One step of a sequence, as it is shown in a counterexample. */
export class Act {
  constructor(readonly plan: Plan) {}

  toString(): string {
    const { operation, api, who, by, aim, nth, revision, input, flaw } = this.plan;
    const extras = [aim !== 'fitting' && aim, revision && `${revision} revision`, flaw && `bad ${flaw}`];
    const remarks = extras.filter(Boolean).map((extra) => ` (${extra})`);
    return `${api} ${operation} #${who + nth} ${JSON.stringify(input)}${remarks.join('')} by ${by}`;
  }
}

/** The acts before each sequence, so that short ones already lead somewhere. */
const beginnings = ['nothing', 'two in business', 'an app in review', 'a small market'] as const;
export type Beginning = (typeof beginnings)[number];

export class Sequence {
  constructor(
    readonly beginning: Beginning,
    readonly acts: Act[],
  ) {}

  toString(): string {
    return [`after ${this.beginning}:`, ...this.acts].join('\n    ');
  }
}

const hasRest = (operation: Operation) => operationsOfBothApis.includes(operation);

/** The right thing, done by the right person: for beginnings. */
export const properly = (operation: Operation, nth: number, input: Input = {}): Act =>
  new Act({
    operation,
    api: hasRest(operation) ? 'rest' : 'graphql',
    who: 0,
    by: 'right',
    aim: 'fitting',
    nth,
    revision: null,
    input,
    flaw: null,
  });

const weights: Partial<Record<Operation, number>> = {
  createApp: 6,
  updateApp: 6,
  submitApp: 7,
  approveApp: 7,
  claimNext: 2,
  recordInstall: 4,
  createApiKey: 3,
  registerDeveloper: 3,
  verifyDeveloper: 2,
  rejectApp: 2,
  suspendApp: 2,
  restoreApp: 2,
  featureApp: 2,
  editApp: 2,
  updateMe: 2,
  revokeApiKey: 2,
  myApp: 2,
};

/** Mostly the first, now and then one of the others. */
const mostly = <T, U>(usual: T, others: readonly U[], weight: number): fc.Arbitrary<T | U> =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });

const actOf = (operation: Operation): fc.Arbitrary<Act> =>
  fc
    .record({
      operation: fc.constant(operation),
      api: hasRest(operation) ? fc.constantFrom<Api>('rest', 'graphql') : fc.constant<Api>('graphql'),
      who: fc.nat({ max: 2 }),
      by: mostly('right' as const, credentials, 9),
      aim: mostly('fitting' as const, aims, 7),
      nth: fc.nat({ max: 5 }),
      revision: mostly(null, ['current', 'current', 'stale'] as const, 2),
      wish: inputs[operation],
    })
    .map(({ wish, ...plan }) => new Act({ ...plan, ...wish }));

const anyAct = fc.oneof(
  ...(Object.keys(inputs) as Operation[]).map((operation) => ({
    weight: weights[operation] ?? 1,
    arbitrary: actOf(operation),
  })),
);

/** Sequences of some 10 to 25 acts with their beginnings; they shrink to fewer, since each act may also be left out. */
export const anySequence: fc.Arbitrary<Sequence> = fc
  .tuple(
    fc.constantFrom(...beginnings, 'a small market' as const),
    fc.array(fc.option(anyAct, { freq: 1_000 }), { minLength: 6, maxLength: 11 }),
  )
  .map(
    ([beginning, acts]) =>
      new Sequence(
        beginning,
        acts.filter((act) => act !== null),
      ),
  );
