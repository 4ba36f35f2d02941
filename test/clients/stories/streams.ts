/** An event stream that a client has opened. */
interface Stream {
  lastEventId: string | null;
  /** Ends the connection, as a network does. */
  cut(): void;
}

const opened: Stream[] = [];
const waiting: ((stream: Stream) => void)[] = [];
const send = globalThis.fetch;

// Clients keep the fetch that they find when they are created, so this module is imported before them.
globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  if (!request.url.endsWith('/graphql/stream')) return send(request);
  const connection = new AbortController();
  const signal = AbortSignal.any([request.signal, connection.signal]);
  const response = await send(request, { signal });
  const stream = { lastEventId: request.headers.get('last-event-id'), cut: () => connection.abort() };
  const next = waiting.shift();
  if (next) next(stream);
  else opened.push(stream);
  return response;
};

/** Waits for the next stream; the service sends all changes from then on. */
export async function nextStream(): Promise<Stream> {
  return opened.shift() ?? new Promise((resolve) => waiting.push(resolve));
}
