import { parse } from 'graphql';
import { ServiceError } from '../errors.js';
import type { DocumentStore } from './document-cache.js';
import { LimitedLexer, problemOf } from './document-limits.js';
import { exceeded, limits } from './limits.js';

/** Takes points from what the sender's address may spend on GraphQL; refuses by a ServiceError. */
export type ChargeParsing = (points: number) => Promise<void>;

/** Parsing and validating a token takes about as long as two points of execution. */
const pointsPerToken = 2;
/** The size of an everyday request. Beyond it, comments, long strings and variables cost time too. */
const freeBytes = 8 * 1024;
const bytesPerPoint = 100;

/** Holds new documents to the limits before Apollo parses and validates them, and charges for that, refused or not. */
export class DocumentGate {
  constructor(
    private readonly documents: DocumentStore,
    private readonly charge: ChargeParsing,
  ) {}

  /** Passes a document that was validated before at once. `length` is that of the whole request. */
  async admit(text: string, length: number): Promise<void> {
    if (this.documents.has(text)) return this.chargeLength(length);
    const lexer = new LimitedLexer(text);
    const problem = linesIn(text) > limits.lines ? exceeded('lines', null) : problemFoundBy(lexer);
    await this.charge(pointsFor(length) + lexer.tokens * pointsPerToken);
    if (problem) throw problem;
  }

  async chargeLength(length: number): Promise<void> {
    const points = pointsFor(length);
    if (points > 0) await this.charge(points);
  }
}

const pointsFor = (length: number) => Math.floor(Math.max(0, length - freeBytes) / bytesPerPoint);

const linesIn = (text: string) => 1 + (text.match(/\r\n|[\n\r]/g)?.length ?? 0);

/** A syntax error is none: Apollo stops at the same place and reports it. */
function problemFoundBy(lexer: LimitedLexer): ServiceError | null {
  try {
    return problemOf(parse(lexer.source, { noLocation: true, lexer }));
  } catch (error) {
    if (error instanceof ServiceError) return error;
    // Nesting is bounded; should the stack be exhausted all the same, that is the document's doing.
    return error instanceof RangeError ? exceeded('nesting', null) : null;
  }
}
