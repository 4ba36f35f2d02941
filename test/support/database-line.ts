import { connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy between a service and its PostgreSQL, which records every statement and can cut the connection. */
export class DatabaseLine {
  /** The statements since `listenIn`, as SQL. */
  statements: string[] = [];
  private readonly sockets = new Set<Socket>();
  /** Connections that listen for notifications. */
  private readonly listening = new Set<Socket>();
  private server: Server | null = null;
  /** The port of this line, the same after every cut. */
  port = 0;
  private mute = false;
  private fatal: RegExp | null = null;
  private unanswered: RegExp | null = null;

  private constructor(
    private target: URL,
    private readonly records: boolean,
  ) {}

  /** `records: false` is for load, and for connections that do not speak PostgreSQL's protocol. */
  static async to(databaseUrl: string, { records = true } = {}): Promise<DatabaseLine> {
    const line = new DatabaseLine(new URL(databaseUrl), records);
    await line.mend();
    return line;
  }

  /** The same database, through this line. */
  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    return url.href;
  }

  /** Ends every connection and refuses new ones. */
  async cut(): Promise<void> {
    const { server } = this;
    this.server = null;
    await new Promise<void>((resolve) => {
      if (!server) return resolve();
      server.close(() => resolve());
      for (const socket of this.sockets) socket.destroy();
    });
  }

  /** Ends every connection; new ones are accepted, and never get a response. */
  silence(): void {
    this.mute = true;
    for (const socket of this.sockets) socket.destroy();
  }

  /** Ends every connection; new ones lead to another server. */
  leadTo(databaseUrl: string): void {
    this.target = new URL(databaseUrl);
    for (const socket of this.sockets) socket.destroy();
  }

  /** From now on a connection dies by each such statement, and no other; null: by none. */
  dieBy(statement: RegExp | null): void {
    this.fatal = statement;
  }

  /** Carries nothing more on the next connection that executes such a statement, from this statement on. */
  loseAt(statement: RegExp): void {
    this.unanswered = statement;
  }

  /** Carries nothing more to those who listen to announcements, and does not tell them. */
  hushListeners(): void {
    for (const socket of this.listening) socket.pause();
  }

  /** Carries nothing more on the open connections, and does not tell either end. New ones work. */
  blackhole(): void {
    for (const socket of this.sockets) {
      socket.unpipe();
      socket.removeAllListeners('data');
      // Bytes that arrive are lost.
      socket.on('data', () => undefined);
    }
  }

  /** Carries nothing more on any connection, and accepts new ones only to ignore them: as a network that drops every packet. */
  isolate(): void {
    this.mute = true;
    this.blackhole();
  }

  async mend(): Promise<void> {
    this.mute = false;
    for (const socket of this.sockets) socket.destroy();
    if (this.server) return;
    const server = createServer((socket) => this.carry(socket));
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.server = server;
    const address = server.address();
    if (address && typeof address === 'object') this.port = address.port;
  }

  /** Returns the statements that the work causes, without the settings of connections that a pool happens to open, and without the time that the service asks for every minute. */
  async listenIn(work: () => Promise<unknown>): Promise<string[]> {
    this.statements = [];
    await work();
    return this.statements.filter((statement) => !/^\s*set\s|^select .*clock_timestamp/i.test(statement));
  }

  private carry(near: Socket): void {
    this.keep(near);
    if (this.mute) return;
    const far = connect(Number(this.target.port || 5432), this.target.hostname);
    this.keep(far);
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
    // Before the pipe, so that a fatal statement is not carried.
    if (this.records)
      near.on(
        'data',
        hearing((statement) => this.heard(statement, near, far)),
      );
    near.pipe(far);
    far.pipe(near);
  }

  private heard(statement: string, near: Socket, far: Socket): void {
    // Empty statements are heartbeats.
    if (statement) this.statements.push(statement);
    if (statement.startsWith('listen ')) this.listening.add(far);
    if (this.fatal?.test(statement)) near.destroy();
    if (!this.unanswered?.test(statement)) return;
    this.unanswered = null;
    near.unpipe();
    far.unpipe();
    near.resume();
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => this.sockets.delete(socket) && this.listening.delete(socket));
  }
}

/** Reads PostgreSQL's protocol as far as it names what is executed: Parse, Bind and Query. */
function hearing(onStatement: (sql: string) => void): (chunk: Buffer) => void {
  const prepared = new Map<string, string>();
  let rest: Buffer = Buffer.alloc(0);
  let isStarted = false;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const header = isStarted ? 1 : 0;
      if (rest.length < header + 4) return;
      const end = header + rest.readInt32BE(header);
      if (rest.length < end) return;
      const kind = isStarted ? String.fromCharCode(rest[0] ?? 0) : '';
      const words = rest
        .subarray(header + 4, end)
        .toString('latin1')
        .split('\0');
      rest = rest.subarray(end);
      isStarted = true;
      if (kind === 'Q') onStatement(words[0] ?? '');
      if (kind === 'P') prepared.set(words[0] ?? '', words[1] ?? '');
      if (kind === 'B') onStatement(prepared.get(words[1] ?? '') ?? 'an unknown statement');
    }
  };
}
