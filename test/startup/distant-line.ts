import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A line to a service that is some milliseconds away: bytes, ends and resets arrive that much later, in order. */
export class DistantLine {
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer({ allowHalfOpen: true }, (near) => this.carry(near));

  private constructor(
    private readonly target: URL,
    private readonly delayMs: number,
  ) {}

  static async to(url: string, delayMs: number): Promise<DistantLine> {
    const line = new DistantLine(new URL(url), delayMs);
    await once(line.server.listen(0, '127.0.0.1'), 'listening');
    return line;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private carry(near: Socket): void {
    const far = connect({
      port: Number(this.target.port),
      host: this.target.hostname,
      allowHalfOpen: true,
    });
    this.forward(near, far);
    this.forward(far, near);
  }

  private forward(from: Socket, to: Socket): void {
    this.sockets.add(from);
    const later = (act: () => void) => void setTimeout(act, this.delayMs);
    from
      .setNoDelay()
      .on('data', (chunk) => later(() => to.writable && to.write(chunk)))
      .on('end', () => later(() => to.end()))
      .on('error', () => later(() => to.resetAndDestroy()))
      .on('close', () => this.sockets.delete(from));
  }
}
