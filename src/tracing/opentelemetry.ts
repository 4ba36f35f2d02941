import type { IncomingMessage } from 'node:http';
import { hostname } from 'node:os';
import {
  type Attributes,
  type Context,
  context as contexts,
  createContextKey,
  defaultTextMapGetter,
  defaultTextMapSetter,
  diag,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { isOurFault, ServiceError } from '../errors.js';

type Settings = NonNullable<Config['tracing']>;

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

export type Work<T> = (span: Span | null) => Promise<T>;

/** A part of the time in which the application is closed. */
const CLOSE_TIMEOUT_MS = 1_500;
const WARNING_INTERVAL_MS = 60_000;

const requestIdKey = createContextKey('request id');
const propagator = new W3CTraceContextPropagator();

/** Every span has the id of the request that caused it. */
const requestIds: SpanProcessor = {
  onStart(span, parent) {
    const requestId = parent.getValue(requestIdKey);
    if (typeof requestId === 'string') span.setAttribute('marketplace.request_id', requestId);
  },
  onEnd: () => undefined,
  forceFlush: async () => undefined,
  shutdown: async () => undefined,
};

function samplerOf({ sampler, ratio }: Settings): Sampler {
  const root = sampler.endsWith('always_on')
    ? new AlwaysOnSampler()
    : sampler.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(ratio);
  return sampler.startsWith('parentbased') ? new ParentBasedSampler({ root }) : root;
}

/** Logs failed exports, one line a minute at most. */
function reporter(log: Logger): (problem: unknown) => void {
  let lastAt = Number.NEGATIVE_INFINITY;
  return (problem) => {
    if (performance.now() - lastAt < WARNING_INTERVAL_MS) return;
    lastAt = performance.now();
    log.warn({ err: problem }, 'traces could not be exported');
  };
}

const ignore = () => undefined;

const kinds = { client: SpanKind.CLIENT, producer: SpanKind.PRODUCER, consumer: SpanKind.CONSUMER };
const optionsOf = ({ kind, attributes = {} }: SpanOptions) => ({
  kind: kind ? kinds[kind] : SpanKind.INTERNAL,
  attributes,
});

/** Creates spans. There is one tracer in a process. */
export class Tracer {
  private constructor(
    private readonly tracer: OtelTracer,
    /** Sends the spans that have ended; gives up after a second and a half. */
    readonly close: () => Promise<void>,
  ) {}

  /**
   * Starts OpenTelemetry. Spans are exported in batches from a queue of 2,048; while the receiver is away or slower, further
   * spans are dropped.
   */
  static open(settings: Settings, log: Logger): Tracer {
    contexts.setGlobalContextManager(new AsyncLocalStorageContextManager());
    const report = reporter(log);
    setGlobalErrorHandler(report);
    diag.setLogger(
      { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
      { suppressOverrideMessage: true },
    );
    const exporter = new OTLPTraceExporter({ url: `${settings.endpoint}/v1/traces` });
    const provider = new TracerProvider({
      resource: resourceFromAttributes({
        'service.name': settings.serviceName,
        'service.instance.id': crypto.randomUUID(),
        'host.name': hostname(),
        'process.pid': process.pid,
      }).merge(detectResources({ detectors: [envDetector] })),
      sampler: samplerOf(settings),
      spanProcessors: [requestIds, new BatchSpanProcessor({ exporter })],
    });
    return new Tracer(provider.getTracer('marketplace-gateway'), async () => {
      const { promise: timeout, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, CLOSE_TIMEOUT_MS);
      await Promise.race([provider.shutdown(), timeout]).catch(report);
      clearTimeout(timer);
      contexts.disable();
      diag.disable();
    });
  }

  /** Starts the span of a request, which continues the trace of its headers. Its name and result are known when it ends. */
  startRequest({ method = 'GET', headers }: IncomingMessage, requestId: string) {
    const parent = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
    const given = parent.setValue(requestIdKey, requestId);
    const attributes: Attributes = { 'http.request.method': method };
    const span = this.tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, given);
    const context = trace.setSpan(given, span);
    return {
      /** False if the request is not sampled: then nothing is needed of it. */
      isRecording: span.isRecording(),
      /** Runs a function, and everything that it starts, within the span. */
      run: <T>(work: () => T): T => contexts.with(context, work),
      end(name: string, result: Attributes, { isFailure }: { isFailure: boolean }) {
        span.updateName(name).setAttributes(result);
        if (isFailure) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  /** Runs work in a child of the current span; without a current span it is not traced. */
  inChild<T>(name: string, work: Work<T>, options: SpanOptions = {}): Promise<T> {
    return this.currentSpan()?.isRecording()
      ? run(this.tracer.startSpan(name, optionsOf(options)), contexts.active(), work)
      : work(null);
  }

  /** Runs work that no request waits for in a span that continues a trace, or begins one. */
  inOwn<T>(
    name: string,
    work: Work<T>,
    { carrier = {}, ...options }: SpanOptions & { carrier?: TraceCarrier } = {},
  ): Promise<T> {
    const parent = propagator
      .extract(ROOT_CONTEXT, carrier, defaultTextMapGetter)
      .setValue(requestIdKey, carrier.requestId);
    return run(this.tracer.startSpan(name, optionsOf(options), parent), parent, work);
  }

  /** Runs work for several callers in a child of the first one's span, which links to the others. */
  inShared<T>(
    name: string,
    [first = ROOT_CONTEXT, ...others]: readonly Context[],
    work: Work<T>,
  ): Promise<T> {
    // The current context may belong to another caller.
    if (!trace.getSpan(first)?.isRecording()) return contexts.with(ROOT_CONTEXT, () => work(null));
    const links = others.flatMap((context) => trace.getSpanContext(context) ?? []);
    const options = { links: links.map((context) => ({ context })) };
    return run(this.tracer.startSpan(name, options, first), first, work);
  }

  /** Runs work that the current span has caused, maybe long after its end, in a trace of its own that links to it. */
  inLinked<T>(name: string, work: Work<T>): Promise<T> {
    const context = trace.getSpanContext(contexts.active());
    // Not sampled, or no trace at all.
    if (!context || !(context.traceFlags & TraceFlags.SAMPLED)) return work(null);
    const parent = trace.deleteSpan(contexts.active());
    return run(this.tracer.startSpan(name, { links: [{ context }] }, parent), parent, work);
  }

  /** Starts a span that the returned function ends; null without a current span. */
  start(name: string, options: SpanOptions): ((error?: unknown) => void) | null {
    if (!this.currentSpan()?.isRecording()) return null;
    const span = this.tracer.startSpan(name, optionsOf(options));
    return (error) => {
      if (error) markFailed(span, error);
      span.end();
    };
  }

  currentSpan(): Span | null {
    return trace.getActiveSpan() ?? null;
  }

  /** Returns the current context, for work that is shared later. */
  context(): Context {
    return contexts.active();
  }

  /** Returns the current trace for another process; empty if there is none. */
  carrier(): TraceCarrier {
    const requestId = contexts.active().getValue(requestIdKey);
    return { ...this.headers(), ...(typeof requestId === 'string' && { requestId }) };
  }

  /** Returns the headers of W3C Trace Context for a request within the current span; empty if there is none. */
  headers(): Record<string, string> {
    const headers: Record<string, string> = {};
    propagator.inject(contexts.active(), headers, defaultTextMapSetter);
    return headers;
  }
}

/** Runs work in a span, and ends the span with it. */
async function run<T>(span: Span, parent: Context, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await contexts.with(trace.setSpan(parent, span), () => work(span));
  } catch (error) {
    markFailed(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Records the code of an error, never its message, which may contain input. An error of the caller is no failure. */
function markFailed(span: Span, error: unknown): void {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  const name = error instanceof Error ? error.name : 'Error';
  span.setAttribute('error.type', typeof code === 'string' ? code : name);
  if (error instanceof ServiceError && !isOurFault(error.code)) return;
  span.setStatus({ code: SpanStatusCode.ERROR });
}
