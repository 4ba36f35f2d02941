import { parse } from 'graphql';
import { ServiceError } from '../errors.js';
import type { DocumentStore } from './document-cache.js';
import { LimitedLexer, problemOf } from './document-limits.js';
import { exceeded, limits } from './limits.js';
import type { Safelist } from './safelist.js';

/** Charges the client's address with points of the limit `graphql`. Throws RATE_LIMITED when it is exceeded. */
export type ChargeParsing = (points: number) => Promise<void>;

/** Points for parsing and validating a token (D135). */
const pointsPerToken = 2;
/** The size of a usual request. Beyond it, comments, long strings and variables take time as well. */
const freeBytes = 8 * 1024;
const bytesPerPoint = 100;

/** Checks new documents against the limits before Apollo parses and validates them, and charges for that work, whether they pass or not. */
export class DocumentGate {
  constructor(
    private readonly documents: DocumentStore,
    private readonly charge: ChargeParsing,
    private readonly safelist: Safelist | null,
  ) {}

  /**
   * Checks a document against the safelist, and against the limits unless it was validated before. `length` is that of the
   * whole request. A request without a document is left to Apollo, and so is one with a document's hash.
   */
  async admit(text: unknown, length: number): Promise<void> {
    if (typeof text !== 'string' || text === '') return this.chargeLength(length);
    this.safelist?.check(text);
    if (this.documents.has(text)) return this.chargeLength(length);
    const lexer = new LimitedLexer(text);
    const problem = linesIn(text) > limits.lines ? exceeded('lines', null) : problemFoundBy(lexer);
    await this.charge(pointsFor(length) + lexer.tokens * pointsPerToken);
    if (problem) throw problem;
  }

  private async chargeLength(length: number): Promise<void> {
    const points = pointsFor(length);
    if (points > 0) await this.charge(points);
  }
}

const pointsFor = (length: number) => Math.floor(Math.max(0, length - freeBytes) / bytesPerPoint);

const linesIn = (text: string) => 1 + (text.match(/\r\n|[\n\r]/g)?.length ?? 0);

/** Returns the exceeded limit. Syntax errors are left to Apollo, which stops at the same place and reports them. */
function problemFoundBy(lexer: LimitedLexer): ServiceError | null {
  try {
    return problemOf(parse(lexer.source, { noLocation: true, lexer }));
  } catch (error) {
    if (error instanceof ServiceError) return error;
    // Nesting is bounded; if the stack overflows all the same, the document is the reason.
    return error instanceof RangeError ? exceeded('nesting', null) : null;
  }
}
