import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Credential } from './credentials.js';
import { exchangePublisherToken } from './documents.js';
import { exitCodeOf, exitCodes, Failure, type ServerChange, usage } from './failure.js';
import { type Output, printable } from './output.js';

const attempts = 6;
const firstPauseMs = 500;
const maxPauseMs = 20_000;
/** The service responds within 12 seconds by default. */
const timeoutMs = 60_000;
const retryableStatuses = new Set([429, 502, 503, 504]);

interface Detail {
  field: string;
  code: string;
  message: string;
}

/** An error of the API, with its details. */
export class ApiFailure extends Failure {
  constructor(
    readonly status: number,
    { code, message, details = [], changes, requestId = null }: ErrorBody,
    /** When the service says that a repetition can succeed. */
    readonly retryAfterMs: number | null = null,
  ) {
    super({
      exitCode: exitCodeOf(code),
      code,
      message,
      changes: changes ?? [],
      requestId,
      problems: details.map((detail) => ({
        ...detail,
        severity: 'ERROR' as const,
        fix: null,
        file: null,
        line: null,
      })),
    });
  }
}

interface ErrorBody {
  code: string;
  message: string;
  details?: Detail[];
  changes?: ServerChange[] | null;
  requestId?: string | null;
}

interface GraphQLAnswer {
  data?: Record<string, unknown> | null;
  errors?: { message: string; extensions?: Partial<ErrorBody> }[];
}

/** A response of REST, and whether it repeats an earlier one (Idempotency-Key). */
export interface RestAnswer {
  body: Record<string, unknown>;
  isReplayed: boolean;
}

/** What of a write makes it safe to repeat. */
export interface WriteGuard {
  idempotencyKey?: string;
  revision?: number;
}

/** Talks to the public API of a marketplace. Every request is repeated while the service cannot be reached. */
export class Api {
  private key: string | null = null;

  constructor(
    /** Public address of the marketplace, without a trailing slash. */
    readonly url: string,
    readonly credential: Credential,
    private readonly output: Output,
    private readonly userAgent: string,
    /** The app that a pipeline publishes; null if the listing does not name it. */
    private readonly slug: string | null,
  ) {}

  /** Runs a document that only reads. */
  query<Data>(document: string, variables: object = {}): Promise<Data> {
    return this.authorized((key) => this.graphql<Data>(document, variables, key));
  }

  /** Runs a mutation. GraphQL does not know the header: there the revision and the state of the app protect a repetition. */
  mutate<Data>(document: string, variables: object): Promise<Data> {
    const idempotencyKey = randomUUID();
    return this.authorized((key) => this.graphql<Data>(document, variables, key, { idempotencyKey }));
  }

  /** Sends a POST of REST, which the service handles once however often it is sent. */
  post(path: string, body: object | null, guard: WriteGuard = {}): Promise<RestAnswer> {
    const guarded = { idempotencyKey: randomUUID(), ...guard };
    return this.authorized((key) =>
      this.repeated(async () => {
        const response = await this.send(path, body, key, guarded);
        const parsed = await bodyOf(response);
        if (!response.ok) throw failureOf(response, parsed.error);
        return { body: parsed, isReplayed: response.headers.get('idempotent-replayed') === 'true' };
      }),
    );
  }

  /** Opens the event stream of a subscription. */
  async stream(document: string, variables: object): Promise<ReadableStream<Uint8Array>> {
    const key = await this.apiKey();
    const response = await fetch(`${this.url}/graphql/stream`, {
      method: 'POST',
      headers: { ...this.headers(key), accept: 'text/event-stream' },
      body: JSON.stringify({ query: document, variables }),
      redirect: 'error',
    });
    if (response.ok && response.body) return response.body;
    throw failureOf(response, (await bodyOf(response)).error);
  }

  /** Runs a request with the key. A key of a pipeline that has expired meanwhile is replaced, where the forge allows it. */
  private async authorized<T>(run: (key: string) => Promise<T>): Promise<T> {
    const hadKey = this.key !== null;
    try {
      return await run(await this.apiKey());
    } catch (error) {
      const isExpired = error instanceof Failure && error.code === 'API_KEY_EXPIRED';
      if (!isExpired || !hadKey || this.credential.kind !== 'pipeline' || !this.credential.isRenewable)
        throw error;
      this.key = null;
      return run(await this.apiKey());
    }
  }

  private async apiKey(): Promise<string> {
    this.key ??= this.credential.kind === 'pipeline' ? await this.exchanged() : this.credential.key;
    return this.key;
  }

  /** Exchanges the identity of the pipeline for a key. A token can be used once, so each attempt needs its own. */
  private async exchanged(): Promise<string> {
    const { credential } = this;
    if (credential.kind !== 'pipeline') throw new Error('only a pipeline has an identity');
    // Anybody can name this repository as a publisher of an app of theirs: without a name the key might be for that one.
    if (this.slug === null)
      throw usage(
        'The listing file names no app. A pipeline publishes an app that exists: add "app" with its slug to the file.',
      );
    return this.repeated(async () => {
      const token = await credential.identityToken(this.url);
      const { exchangePublisherToken: issued } = await this.graphqlOnce<{
        exchangePublisherToken: { key: string };
      }>(exchangePublisherToken, { token, slug: this.slug }, null);
      this.output.addSecret(issued.key);
      return issued.key;
    });
  }

  private graphql<Data>(
    document: string,
    variables: object,
    key: string | null,
    guard: WriteGuard = {},
  ): Promise<Data> {
    return this.repeated(() => this.graphqlOnce<Data>(document, variables, key, guard));
  }

  private async graphqlOnce<Data>(
    document: string,
    variables: object,
    key: string | null,
    guard: WriteGuard = {},
  ): Promise<Data> {
    const response = await this.send('/graphql', { query: document, variables }, key, guard);
    const answer = (await bodyOf(response)) as GraphQLAnswer & { error?: ErrorBody };
    const [error] = answer.errors ?? [];
    if (error) {
      const { code = 'INTERNAL', ...extensions } = error.extensions ?? {};
      throw failureOf(response, { message: error.message, code, ...extensions });
    }
    if (!answer.data) throw failureOf(response, answer.error);
    return answer.data as Data;
  }

  private async send(
    path: string,
    body: object | null,
    key: string | null,
    { idempotencyKey, revision }: WriteGuard,
  ): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method: 'POST',
      headers: {
        ...this.headers(key),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(revision !== undefined && { 'if-match': `"${revision}"` }),
      },
      body: body === null ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    });
  }

  private headers(key: string | null): Record<string, string> {
    return {
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': this.userAgent,
      ...(key !== null && { authorization: `Bearer ${key}` }),
    };
  }

  /** Repeats a request that got no response, or one that says that the service is not available now. */
  private async repeated<T>(send: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await send();
      } catch (error) {
        const failure = error instanceof Failure ? error : unreachable(this.url, error);
        failure.wasRepeated = attempt > 1;
        if (attempt === attempts || !isRetryable(failure)) throw failure;
        const pauseMs = pauseBefore(attempt, failure);
        if (attempt === 1 && !this.output.isInteractive) this.output.note(`${failure.message} Trying again…`);
        this.output.progress(`${failure.message} Trying again in ${Math.ceil(pauseMs / 1000)} s…`);
        await delay(pauseMs);
      }
    }
  }
}

const isRetryable = (failure: Failure) =>
  failure.exitCode === exitCodes.unavailable ||
  (failure.code === 'IDEMPOTENCY_CONFLICT' && failure.problems.some(({ code }) => code === 'in_progress'));

/** Waits longer each time, and not shorter than the service asks for. The random part separates pipelines that began together. */
function pauseBefore(attempt: number, failure: Failure): number {
  const asked = failure instanceof ApiFailure ? (failure.retryAfterMs ?? 0) : 0;
  const own = firstPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random());
  return Math.min(Math.max(own, asked), maxPauseMs);
}

const unreachable = (url: string, error: unknown) => {
  const cause = error instanceof Error ? ((error.cause as Error | undefined)?.message ?? error.message) : '';
  return new Failure({
    exitCode: exitCodes.unavailable,
    code: 'UNAVAILABLE',
    message: `${url} cannot be reached: ${cause || 'there was no response'}.`,
  });
};

async function bodyOf(response: Response): Promise<Record<string, unknown> & { error?: ErrorBody }> {
  const text = await response.text();
  try {
    // The service stores no control characters: whoever sends them wants to write to the terminal.
    return JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? printable(value) : value));
  } catch {
    return {};
  }
}

function failureOf(response: Response, error: ErrorBody | undefined): ApiFailure {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retryAfterMs = Number.isFinite(retryAfter) ? retryAfter * 1000 : null;
  const isDown = retryableStatuses.has(response.status);
  const unknown = {
    code: isDown ? 'UNAVAILABLE' : 'NOT_A_MARKETPLACE',
    message: isDown
      ? `The marketplace is not available now (status ${response.status}).`
      : `${response.url} responded with status ${response.status} and no answer of a marketplace. Check MARKETPLACE_URL.`,
  };
  return new ApiFailure(response.status, error ?? unknown, retryAfterMs);
}
