import type { History, Outcome, WriteKind } from './history.js';

/** A parsed response; null if there was none. */
export interface Reply {
  readonly outcome: Outcome;
  readonly status: number;
  /** The code of an error in REST or GraphQL. */
  readonly code: string | null;
  /** The body of REST, the data of GraphQL. */
  readonly body: Record<string, unknown>;
  readonly endedAt: number;
}

interface Call {
  readonly kind: WriteKind | 'read';
  readonly gateway: number;
  readonly method?: string;
  readonly path: string;
  readonly bearer?: string | null;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

interface ErrorBody {
  error?: { code: string };
  errors?: { message: string; extensions: { code: string } }[];
  data?: Record<string, unknown> | null;
}

/** No request takes longer, whatever happens to the database. */
const DEADLINE_MS = 30_000;
/** Codes that say that nothing was done, or that it was done before. */
const refusals = new Set(['REVISION_CONFLICT', 'REVIEW_CLAIMED', 'INVALID_TRANSITION']);

/** Sends requests to several gateways and records each outcome. */
export class RecordingClient {
  /** True while gateways are killed: a connection may break then. */
  mayBreak = false;

  constructor(
    readonly urls: readonly string[],
    readonly history: History,
  ) {}

  async send(call: Call): Promise<Reply> {
    const startedAt = performance.now();
    const reply = await this.attempt(call);
    const { kind, gateway } = call;
    this.history.record({ kind, gateway, startedAt, endedAt: reply.endedAt, outcome: reply.outcome });
    return reply;
  }

  /** A mutation of GraphQL; the body of the reply is the field's value. */
  async mutate(
    call: Omit<Call, 'path' | 'body'>,
    document: string,
    variables: Record<string, unknown>,
  ): Promise<Reply> {
    const reply = await this.send({ ...call, path: '/graphql', body: { query: document, variables } });
    const data = (reply.body as { data?: Record<string, Record<string, unknown>> }).data;
    return { ...reply, body: Object.values(data ?? {})[0] ?? {} };
  }

  private async attempt({
    kind,
    gateway,
    method = 'POST',
    path,
    bearer,
    body,
    headers,
  }: Call): Promise<Reply> {
    const place = `${kind} at gateway ${gateway + 1}`;
    try {
      const response = await fetch(`${this.urls[gateway]}${path}`, {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(bearer && { authorization: `Bearer ${bearer}` }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(DEADLINE_MS),
      });
      const parsed = (await response.json()) as ErrorBody;
      const code = parsed.error?.code ?? parsed.errors?.[0]?.extensions.code ?? null;
      const outcome = this.outcomeOf(place, response, code, parsed);
      const endedAt = performance.now();
      return { outcome, status: response.status, code, body: parsed as Reply['body'], endedAt };
    } catch (error) {
      const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
      if (isTimeout) this.history.problem(`${place}: no response within ${DEADLINE_MS / 1_000} s`);
      else if (!this.mayBreak) this.history.problem(`${place}: ${String((error as Error).cause ?? error)}`);
      return { outcome: 'unknown', status: 0, code: null, body: {}, endedAt: performance.now() };
    }
  }

  private outcomeOf(place: string, response: Response, code: string | null, body: ErrorBody): Outcome {
    if (code === null && response.ok) return 'acknowledged';
    if (code !== null && refusals.has(code)) return 'refused';
    // Another attempt with the same key is still running.
    if (code === 'IDEMPOTENCY_CONFLICT') return 'unknown';
    if (code !== 'UNAVAILABLE') this.history.problem(`${place}: ${response.status} ${JSON.stringify(body)}`);
    else if (!response.headers.has('retry-after'))
      this.history.problem(`${place}: ${response.status} UNAVAILABLE without Retry-After`);
    return 'unknown';
  }
}
