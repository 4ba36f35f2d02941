import { expect } from '@jest/globals';
import type { Input } from '../../support/api-client.js';
import type { AuditLine } from '../../support/audit.js';

/** The lines that an act writes into the audit log. */
export type Lined = Pick<AuditLine, 'before' | 'after'> & { kind: string };

export const status = (before: string, after: string) => ({
  before: { status: before },
  after: { status: after },
});
export const opinion = { rating: 2, text: 'It forgets things.' };
/** The same as it is stored. */
export const storedOpinion = { ...opinion, authorName: null, title: null };
export const stage = (before: string, after: string) => ({
  before: { stage: before },
  after: { stage: after },
});
export const made = (fields: object): Pick<Lined, 'before' | 'after'> => ({
  before: null,
  after: expect.objectContaining(fields) as unknown as Record<string, unknown>,
});
export const said = { before: null, after: null };
export const edited = (before: Input, after: Input, revision = 1) => ({
  before: { ...before, revision },
  after: { ...after, revision: revision + 1 },
});

export const name = { name: 'A name' };
export const named = expect.any(String) as unknown as string;
export const approval = { revision: 1 };
