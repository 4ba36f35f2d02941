import { z } from 'zod';
import type { TraceCarrier } from './opentelemetry.js';
import { currentTracer } from './tracing.js';

/** Added to the data of a job that a trace has caused, so that the trace continues in the job. */
const Carrying = z.looseObject({
  trace: z.object({
    traceparent: z.string().optional(),
    tracestate: z.string().optional(),
    requestId: z.string().optional(),
  }),
});

const attributesOf = (queue: string, id: string, operation: 'send' | 'process') => ({
  'messaging.system': 'pg-boss',
  'messaging.operation.name': operation,
  'messaging.operation.type': operation,
  'messaging.destination.name': queue,
  'messaging.message.id': id,
});

/** Enqueues a job with the current trace in its data; without tracing with its data only. */
export async function enqueueTraced(
  queue: string,
  { id, data }: { id: string; data: object },
  send: (data: object) => Promise<unknown>,
): Promise<void> {
  const tracer = currentTracer();
  if (tracer === null) return void (await send(data));
  const attributes = attributesOf(queue, id, 'send');
  await tracer.inChild(
    `send ${queue}`,
    () => send({ ...data, ...(tracer.currentSpan() && { trace: tracer.carrier() }) }),
    { kind: 'producer', attributes },
  );
}

/** Runs a job in a span that continues the trace of its data. The handler gets the data without it. */
export function runTraced<Job extends { id: string; data: unknown }>(
  queue: string,
  job: Job,
  handler: (job: Job) => Promise<void>,
): Promise<void> {
  const { carrier, data } = taken(job.data);
  const work = () => handler({ ...job, data });
  const attributes = attributesOf(queue, job.id, 'process');
  return (
    currentTracer()?.inOwn(`process ${queue}`, work, { kind: 'consumer', attributes, carrier }) ?? work()
  );
}

/** Separates the trace from the data of a job. The worker may have tracing off. */
function taken(given: unknown): { carrier: TraceCarrier; data: unknown } {
  const parsed = Carrying.safeParse(given);
  if (!parsed.success) return { carrier: {}, data: given };
  const { trace, ...data } = parsed.data;
  return { carrier: trace, data };
}
