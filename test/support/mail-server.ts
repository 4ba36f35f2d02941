import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A mail as its recipient's program would show it. */
export interface ReceivedMail extends Email {
  /** The recipients of the envelope. */
  recipients: string[];
  /** As it came over the wire. */
  raw: string;
}

interface Behaviour {
  /** The reply to a recipient, such as "550 No such user"; null accepts the mail. */
  answerTo?: (recipient: string) => string | null;
  /** Time that it takes to accept a mail. */
  takesMs?: number;
}

/** A real SMTP server, which can be down for a while and comes back at the same address. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  private server: SMTPServer | null = null;
  private holding: { after: number; held: () => void } | null = null;
  private port = 0;

  private constructor(private readonly behaviour: Behaviour) {}

  static async start(behaviour: Behaviour = {}): Promise<MailServer> {
    const server = new MailServer(behaviour);
    await server.start();
    return server;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    this.server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      closeTimeout: 100,
      onRcptTo: ({ address }, _session, answer) => {
        const refusal = this.behaviour.answerTo?.(address);
        if (!refusal) return answer();
        answer(Object.assign(new Error(refusal.slice(4)), { responseCode: Number(refusal.slice(0, 3)) }));
      },
      onData: (stream, session, answer) => {
        const pieces: Buffer[] = [];
        stream.on('data', (piece: Buffer) => pieces.push(piece));
        stream.once('end', async () => {
          await delay(this.behaviour.takesMs ?? 0);
          const raw = Buffer.concat(pieces);
          const recipients = session.envelope.rcptTo.map(({ address }) => address);
          this.mails.push({ ...(await PostalMime.parse(raw)), recipients, raw: raw.toString() });
          if (this.mails.length <= (this.holding?.after ?? Number.POSITIVE_INFINITY)) return answer();
          this.holding?.held();
          this.holding = null;
        });
      },
    });
    // A client may die in the middle of a mail.
    this.server.on('error', () => undefined);
    const listening = this.server.listen(this.port, '127.0.0.1');
    await once(listening, 'listening');
    this.port = (listening.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = null;
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Accepts this many mails and one more, which it never acknowledges; resolves when that mail has come. */
  holdAnswerAfter(after: number): Promise<void> {
    return new Promise((held) => {
      this.holding = { after, held };
    });
  }

  /** Waits until it has this many mails. */
  async has(count: number, withinMs = 20_000): Promise<ReceivedMail[]> {
    await until(
      () => this.mails.length >= count,
      () => `${this.mails.length} of ${count} mails came`,
      withinMs,
    );
    return this.mails;
  }
}

/** Polls until the result is truthy, less and less often, and returns it; throws with the given message after the time, which is for busy machines. */
export async function until<T>(
  ask: () => T | Promise<T>,
  instead: string | (() => string) = `it never came: ${ask}`,
  withinMs = 60_000,
): Promise<Exclude<T, false | null | undefined>> {
  const startedAt = performance.now();
  for (;;) {
    const answer = await ask();
    if (answer) return answer as Exclude<T, false | null | undefined>;
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > withinMs) throw new Error(typeof instead === 'string' ? instead : instead());
    await delay(Math.min(Math.max(waitedMs / 10, 10), 200));
  }
}
