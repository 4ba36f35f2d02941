import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

/** A message as it came in. */
export interface Received {
  headers: Record<string, string>;
  body: string;
}
export type Answer = (response: ServerResponse, message: Received, request: IncomingMessage) => void;

/** A webhook receiver on this machine: each path has its own behaviour, and stores what it received. */
export async function startReceiver() {
  const answers = new Map<string, Answer>();
  const inboxes = new Map<string, Received[]>();
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const message = { headers: request.headers as Record<string, string>, body: await text(request) };
    inboxes.set(path, [...(inboxes.get(path) ?? []), message]);
    const answer = answers.get(path);
    if (answer) answer(response, message, request);
    else response.writeHead(204).end();
  });
  // A test that fails before it closes its receiver must not keep the run alive.
  server.unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  let paths = 0;
  return {
    host,
    /** A new address, which responds 204 by default. */
    address(answer?: Answer) {
      paths += 1;
      const path = `/hook-${paths}`;
      if (answer) answers.set(path, answer);
      return {
        url: `http://${host}${path}`,
        inbox: () => inboxes.get(path) ?? [],
        behave: (other: Answer) => void answers.set(path, other),
      };
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const status =
  (code: number, body = '', headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(code, headers).end(body);

/** The content of a message; throws if the signature is not valid. */
export const verified = (secret: string, { headers, body }: Received) =>
  new Webhook(secret).verify(body, headers) as {
    type: string;
    timestamp: string;
    data: Record<string, unknown>;
  };
