import { expect } from '@jest/globals';
import { type ClientOptions, createClient, type ExecutionResult } from 'graphql-sse';
import { until } from './mail-server.js';

interface LiveOptions {
  query: string;
  variables?: Record<string, unknown>;
  bearer?: string | null;
  /** The id of the last event of an earlier connection. */
  lastEventId?: string;
  client?: Partial<ClientOptions>;
}

export type LiveResult = ExecutionResult<Record<string, never>, unknown>;

/** A subscription by the client of graphql-sse, whose results can be awaited one by one. */
export class Live {
  readonly results: LiveResult[] = [];
  /** The ids of the events. */
  readonly ids: string[] = [];
  /** The end of the subscription; null while it is open. */
  end: 'complete' | { error: unknown } | null = null;
  private seen = 0;
  private readonly dispose: () => void;

  /** Subscribes, and waits until the stream is open. */
  static async to(url: string, options: LiveOptions): Promise<Live> {
    const { promise: opened, resolve } = Promise.withResolvers<void>();
    const live = new Live(url, options, resolve);
    await opened;
    return live;
  }

  private constructor(
    url: string,
    { query, variables, bearer, lastEventId, client }: LiveOptions,
    onOpen: () => void,
  ) {
    const { dispose, subscribe } = createClient({
      url: `${url}/graphql/stream`,
      headers: {
        ...(bearer && { authorization: `Bearer ${bearer}` }),
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
      retryAttempts: 0,
      fetchFn: async (...request: Parameters<typeof fetch>) => {
        const response = await fetch(...request);
        onOpen();
        return response;
      },
      ...client,
    });
    this.dispose = dispose;
    subscribe<Record<string, never>, { eventId: string }>(
      { query, ...(variables && { variables }) },
      {
        next: ({ extensions, ...result }) => {
          this.ids.push(extensions?.eventId ?? '');
          this.results.push(result);
        },
        error: (error) => {
          this.end = { error };
          onOpen();
        },
        complete: () => {
          this.end ??= 'complete';
          onOpen();
        },
      },
    );
  }

  /**
   * Waits for a result that has these fields, and skips those before it: the notification of a change from before the
   * subscription may still be on its way.
   */
  async expectNext(expected: object): Promise<void> {
    const isExpected = (result: LiveResult) => {
      try {
        expect(result).toMatchObject(expected);
        return true;
      } catch {
        return false;
      }
    };
    await until(
      () => {
        const found = this.results.slice(this.seen).findIndex(isExpected);
        if (found >= 0) this.seen += found + 1;
        return found >= 0;
      },
      () => `${JSON.stringify(expected)} is not among ${JSON.stringify([this.results, this.end])}`,
    );
  }

  /** Waits until the stream is ended by an error. */
  async expectEnd(code: string): Promise<void> {
    await this.expectNext({ errors: [{ extensions: { code } }] });
    expect(await this.ended()).toBe('complete');
  }

  /** Waits until the stream has ended. */
  async ended(): Promise<NonNullable<Live['end']>> {
    await until(() => this.end !== null, 'the stream is still open');
    return this.end!;
  }

  close(): void {
    this.dispose();
  }
}
