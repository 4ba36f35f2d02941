import type { Attributes, Context } from '@opentelemetry/api';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import type { SpanOptions, Tracer, Work } from './opentelemetry.js';

/** The place in a trace at which something happens. */
export type TraceContext = Context;

/** Null: tracing is off, and nothing of OpenTelemetry is loaded. */
let tracer: Tracer | null = null;

/** Starts tracing if it is configured, and returns the function that ends it. Call it before connections are opened. */
export async function startTracing(settings: Config['tracing'], log: Logger): Promise<() => Promise<void>> {
  if (settings === null) return async () => undefined;
  const { Tracer } = await import('./opentelemetry.js');
  const opened = Tracer.open(settings, log);
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
