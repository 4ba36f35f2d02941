import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The fates of a write: it never arrives, it is rejected before it arrives, or its response is lost. */
export type Fault = 'cut before' | '503' | 'response lost';
export const faults: readonly Fault[] = ['cut before', '503', 'response lost'];

const isWrite = (body: string, path: string) => path.startsWith('/api/') || body.includes('"mutation ');

/** An HTTP proxy in front of a gateway that spoils the first writes. */
export class FaultyLine {
  private server: Server | null = null;
  /** The faults of the next writes. */
  readonly planned: Fault[] = [];
  /** The writes that arrived at the gateway. */
  readonly writes: { path: string; idempotencyKey: string | undefined; ifMatch: string | undefined }[] = [];
  /** Runs after the first write has arrived, before its response is sent. */
  afterWrite: (() => Promise<unknown>) | null = null;
  url = '';

  static async to(target: string): Promise<FaultyLine> {
    const line = new FaultyLine();
    const server = createServer((incoming, response) => line.forward(target, incoming, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    line.server = server;
    line.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return line;
  }

  async close(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  private async forward(target: string, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await incoming.toArray()).join('');
    const path = incoming.url ?? '/';
    const fault = isWrite(body, path) ? this.planned.shift() : undefined;
    if (fault === 'cut before') return void incoming.socket.destroy();
    if (fault === '503') {
      response.writeHead(503, { 'retry-after': '0', 'content-type': 'text/plain' }).end('no');
      return;
    }
    const { headers, method } = incoming;
    if (isWrite(body, path))
      this.writes.push({
        path,
        idempotencyKey: headers['idempotency-key'] as string | undefined,
        ifMatch: headers['if-match'],
      });
    const outgoing = request(`${target}${path}`, { method, headers }, async (answer) => {
      const pieces = await answer.toArray();
      const act = isWrite(body, path) ? this.afterWrite : null;
      if (act) {
        this.afterWrite = null;
        await act();
      }
      if (fault === 'response lost') incoming.socket.destroy();
      else response.writeHead(answer.statusCode ?? 500, answer.headers).end(Buffer.concat(pieces));
    });
    outgoing.on('error', () => incoming.socket.destroy());
    outgoing.end(body);
  }
}
