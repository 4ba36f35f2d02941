/** One request of the generator, and what a correct response must have. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly bearer?: string;
  /** `UNIQUE` in a header or in the body is replaced by another value each time the request is sent. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
  /** Start of the body of a correct response: GraphQL returns 200 for errors too. */
  readonly start?: string;
  /** The servers may return different results: only the status is compared. */
  readonly loose?: boolean;
  /** A correct response acknowledges an install. */
  readonly installs?: boolean;
}

/** Placeholder for a value that differs each time the request is sent. */
export const UNIQUE = '%unique-value-here%';

/** A window of load against one server. */
export interface LoadOrder {
  readonly port: number;
  readonly connections: number;
  readonly requests: readonly LoadRequest[];
  /** Required lengths of the responses, if known. */
  readonly lengths?: readonly number[];
  /** Index of the first request, so that a cold window does not repeat the previous one. */
  readonly from: number;
  readonly warmUpMs: number;
  readonly measuredMs: number;
  /** Ends the window when every request of the list was sent once, however long that takes. */
  readonly once?: boolean;
  /** Prefix that makes unique values differ between windows. */
  readonly run: string;
  /** Number of requests per second in an open loop; without it, each connection sends when it has its response. */
  readonly perSecond?: number;
  /** Length of the intervals of which latencies are returned. */
  readonly intervalMs?: number;
}

/** Latencies of an interval of a window; its time is counted from the start of the measured time. */
export interface Interval {
  readonly atMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** Measurements of an open loop. */
export interface OpenLoop {
  /** Requests without a response when the window was closed. Their latencies count as the time until then. */
  readonly unanswered: number;
  readonly unansweredInstalls: number;
  /** Delays of the generator itself: from the time a request was due until it was sent or waited for a connection. */
  readonly lateP99Ms: number;
  readonly lateMaxMs: number;
}

/** The measurements of one window. */
export interface LoadResult {
  /** Number of responses within the measured time. */
  readonly responses: number;
  /** Number of acknowledged installs, those before and after the measured time included. */
  readonly installed: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly errors: number;
  /** Descriptions of the first few errors. */
  readonly wrong: readonly string[];
  /** Number of requests sent in all. */
  readonly sent: number;
  /** Empty unless the order asked for them. */
  readonly intervals: readonly Interval[];
  /** Only for an open loop. */
  readonly open?: OpenLoop;
}
