import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A real server on every address of this machine that counts its connections. */
export interface Decoy {
  readonly port: number;
  /** Number of connections that reached it. */
  connections(): number;
  close(): Promise<void>;
}

export async function startDecoy(
  answer: RequestListener = (_, response) => response.end('secret'),
): Promise<Decoy> {
  let connections = 0;
  const server = createServer(answer).on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
