/** One request as the generator sends it, and what counts as the right answer to it. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly bearer?: string;
  /** Where it holds `UNIQUE`, each sending puts another value. */
  readonly body?: string;
  readonly status: number;
  /** How the body of a right answer begins: GraphQL answers 200 to a failure too. */
  readonly start?: string;
  /** Whoever answers may find and order as they see fit: only the form is compared. */
  readonly loose?: boolean;
}

/** What a request's body holds where each sending is to differ. */
export const UNIQUE = '%unique-value-here%';

/** A window of load against one server. */
export interface LoadOrder {
  readonly port: number;
  readonly connections: number;
  readonly requests: readonly LoadRequest[];
  /** The lengths that the answers must have, where they are known. */
  readonly lengths?: readonly number[];
  /** Where in the list to begin, so that a cold window does not repeat the one before. */
  readonly from: number;
  readonly warmUpMs: number;
  readonly measuredMs: number;
  /** Ends when every request of the list was sent once, however long that takes. */
  readonly once?: boolean;
  /** Makes unique values unique among windows. */
  readonly run: string;
}

/** What a window of load has shown. */
export interface LoadResult {
  /** Answers within the measured time. */
  readonly answers: number;
  /** All right answers of the window, those before and after the measured time included, by status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly errors: number;
  /** What was wrong, in words, for the first few. */
  readonly wrong: readonly string[];
  /** How many requests were sent in all. */
  readonly sent: number;
}
