import type { IncomingMessage } from 'node:http';
import type { Attributes, Context, Span } from '@opentelemetry/api';
import type { Logger } from 'pino';
import type { Config } from '../config.js';

/** Names and attributes of spans are those of OpenTelemetry's semantic conventions. */
export interface SpanOptions {
  readonly kind?: 'client' | 'producer' | 'consumer';
  readonly attributes?: Attributes;
}

/** A trace that another process continues: the headers of W3C Trace Context, and the id of the request. */
export interface TraceCarrier {
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
  readonly requestId?: string | undefined;
}

/** The place in a trace at which something happens. */
export type TraceContext = Context;

/** The span of a request, whose name and result are known when it ends. */
export interface RequestSpan {
  /** False if the request is not sampled: then nothing is needed of it. */
  readonly isRecording: boolean;
  /** Runs a function, and everything that it starts, within the span. */
  run<T>(work: () => T): T;
  end(name: string, attributes: Attributes, result: { isFailure: boolean }): void;
}

type Work<T> = (span: Span | null) => Promise<T>;

/** Creates spans. There is one tracer in a process. */
export interface Tracer {
  /** Starts the span of a request, which continues the trace of its headers. */
  startRequest(request: IncomingMessage, requestId: string): RequestSpan;
  /** Runs work in a child of the current span; without a current span it is not traced. */
  inChild<T>(name: string, work: Work<T>, options?: SpanOptions): Promise<T>;
  /** Runs work that no request waits for in a span that continues a trace, or begins one. */
  inOwn<T>(name: string, work: Work<T>, options?: SpanOptions & { carrier?: TraceCarrier }): Promise<T>;
  /** Runs work for several callers in a child of the first one's span, which links to the others. */
  inShared<T>(name: string, callers: readonly TraceContext[], work: Work<T>): Promise<T>;
  /** Runs work that the current span has caused, maybe long after its end, in a trace of its own that links to it. */
  inLinked<T>(name: string, work: Work<T>): Promise<T>;
  /** Starts a span that the returned function ends; null without a current span. */
  start(name: string, options: SpanOptions): ((error?: unknown) => void) | null;
  currentSpan(): Span | null;
  /** Returns the current context, for work that is shared later. */
  context(): TraceContext;
  /** Returns the current trace for another process; empty if there is none. */
  carrier(): TraceCarrier;
  /** Returns the headers of W3C Trace Context for a request within the current span; empty if there is none. */
  headers(): Record<string, string>;
  /** Sends the spans that have ended; gives up after a second and a half. */
  close(): Promise<void>;
}

/** Null: tracing is off, and nothing of OpenTelemetry is loaded. */
let tracer: Tracer | null = null;

/** Starts tracing if it is configured, and returns the function that ends it. Call it before connections are opened. */
export async function startTracing(settings: Config['tracing'], log: Logger): Promise<() => Promise<void>> {
  if (settings === null) return async () => undefined;
  const { openTelemetry } = await import('./opentelemetry.js');
  const opened = openTelemetry(settings, log);
  tracer = opened;
  return async () => {
    tracer = null;
    await opened.close();
  };
}

/** Returns the tracer of this process; null if tracing is off. */
export const currentTracer = (): Tracer | null => tracer;

/** Runs work in a child of the current span. Without tracing it only runs the work. */
export const traced = <T>(name: string, work: Work<T>, options?: SpanOptions): Promise<T> =>
  tracer === null ? work(null) : tracer.inChild(name, work, options);

/** Adds attributes to the current span, and gives it another name. */
export function describeSpan(name: string, attributes: Attributes): void {
  tracer?.currentSpan()?.updateName(name).setAttributes(attributes);
}

/** Returns the fields of a log line that refer to the current trace. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const context = tracer?.currentSpan()?.spanContext();
  return context ? { trace_id: context.traceId, span_id: context.spanId } : {};
}
