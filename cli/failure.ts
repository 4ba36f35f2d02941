/** The exit codes of the tool. They are part of its interface (D402). */
export const exitCodes = {
  done: 0,
  /** The listing has errors, or the review rejected it. */
  rejected: 1,
  usage: 2,
  notPermitted: 3,
  unavailable: 4,
  conflict: 5,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** One problem, with the place in the listing file where it can be fixed. */
export interface Problem {
  /** The field, such as `screenshots.0.url`. */
  field: string;
  severity: 'ERROR' | 'WARNING';
  code: string;
  message: string;
  /** How to fix it; null if the message says it. */
  fix: string | null;
  /** The file and the line, from 1, where the field is; null if it is in no file. */
  file: string | null;
  line: number | null;
}

/** A field that somebody else changed on the server. */
export interface ServerChange {
  field: string;
  before: string | null;
  after: string | null;
}

interface FailureOptions {
  exitCode: ExitCode;
  /** A code of the API, such as `REVISION_CONFLICT`, or one of the tool, such as `USAGE`. */
  code: string;
  message: string;
  problems?: readonly Problem[];
  changes?: readonly ServerChange[];
  requestId?: string | null;
}

/** An error that is reported to the user. Anything else that is thrown is a fault of the tool. */
export class Failure extends Error {
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly problems: readonly Problem[];
  readonly changes: readonly ServerChange[];
  readonly requestId: string | null;
  /** True if the request was sent more than once, so that an earlier attempt may have succeeded. */
  wasRepeated = false;

  constructor({ exitCode, code, message, problems = [], changes = [], requestId = null }: FailureOptions) {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
    this.problems = problems;
    this.changes = changes;
    this.requestId = requestId;
  }
}

export const usage = (message: string) => new Failure({ exitCode: exitCodes.usage, code: 'USAGE', message });

/** Returns the error for a listing with problems. */
export const hasProblems = (message: string, problems: readonly Problem[]) =>
  new Failure({ exitCode: exitCodes.rejected, code: 'VALIDATION_FAILED', message, problems });

export const conflict = (code: string, message: string, changes: readonly ServerChange[] = []) =>
  new Failure({ exitCode: exitCodes.conflict, code, message, changes });

const byCode: Readonly<Record<string, ExitCode>> = {
  VALIDATION_FAILED: exitCodes.rejected,
  QUOTA_EXCEEDED: exitCodes.rejected,
  NOT_FOUND: exitCodes.usage,
  UNAUTHENTICATED: exitCodes.notPermitted,
  INVALID_API_KEY: exitCodes.notPermitted,
  API_KEY_EXPIRED: exitCodes.notPermitted,
  API_KEY_REVOKED: exitCodes.notPermitted,
  INVALID_TOKEN: exitCodes.notPermitted,
  INSUFFICIENT_SCOPE: exitCodes.notPermitted,
  FORBIDDEN: exitCodes.notPermitted,
  DEVELOPER_NOT_REGISTERED: exitCodes.notPermitted,
  DEVELOPER_NOT_VERIFIED: exitCodes.notPermitted,
  DEVELOPER_SUSPENDED: exitCodes.notPermitted,
  INVALID_TRANSITION: exitCodes.conflict,
  REVISION_CONFLICT: exitCodes.conflict,
  APP_APPROVED: exitCodes.conflict,
  APP_SUSPENDED: exitCodes.conflict,
  IDEMPOTENCY_CONFLICT: exitCodes.conflict,
  RATE_LIMITED: exitCodes.unavailable,
  UNAVAILABLE: exitCodes.unavailable,
  INTERNAL: exitCodes.unavailable,
};

/** Returns the exit code for an error code of the API. An unknown one is a rejection. */
export const exitCodeOf = (code: string): ExitCode => byCode[code] ?? exitCodes.rejected;
