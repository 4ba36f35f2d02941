import type { SendMailOptions, Transporter } from 'nodemailer';
import { traced } from '../../tracing/tracing.js';

/** A rendered mail with the values of its headers. */
interface OutgoingMail {
  to: { name: string; address: string };
  subject: string;
  messageId: string;
  date: Date;
  html: string;
  text: string;
}

const secondMs = 1000;
/** A server that does not respond must not block the next mails for long. */
const timeouts = {
  connectionTimeout: 10 * secondMs,
  greetingTimeout: 10 * secondMs,
  socketTimeout: 30 * secondMs,
};

/** Sends mails to the SMTP server. */
export class MailTransport {
  private constructor(
    private readonly transporter: Transporter,
    private readonly from: string,
    private readonly host: string,
  ) {}

  /** Loads nodemailer only here: it is large and not needed without a mail server. */
  static async open(smtpUrl: string, from: string): Promise<MailTransport> {
    const { createTransport } = await import('nodemailer');
    const transporter = createTransport({
      url: smtpUrl,
      // One connection for all mails. A failed mail is retried by its job, not by the pool.
      pool: true,
      maxConnections: 1,
      maxRequeues: 0,
      idleTimeout: 20 * secondMs,
      ...timeouts,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return new MailTransport(transporter, from, new URL(smtpUrl).hostname);
  }

  /** Resolves when the server has accepted the mail. */
  async send({ to, ...mail }: OutgoingMail): Promise<void> {
    const options: SendMailOptions = {
      ...mail,
      from: this.from,
      // As an object: nodemailer would parse a string as a list of addresses.
      to: [to],
      headers: {
        'Auto-Submitted': 'auto-generated',
        'X-Auto-Response-Suppress': 'All',
      },
    };
    const attributes = { 'server.address': this.host, 'network.protocol.name': 'smtp' };
    await traced('SMTP send', () => this.transporter.sendMail(options), { kind: 'client', attributes });
  }

  close(): void {
    this.transporter.close();
  }
}

/** Connects to a mail server and signs in, without sending a mail; rejects with the reason. */
export async function verifyMailServer(smtpUrl: string, options: { requireTLS: boolean }): Promise<void> {
  const { createTransport } = await import('nodemailer');
  await createTransport({ url: smtpUrl, ...timeouts, ...options }).verify();
}

/** Returns true if the server has permanently rejected this mail, and not the connection or the login, which all mails share. */
export function isPermanentRejection(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { responseCode, command } = error as Error & { responseCode?: number; command?: string };
  return (responseCode ?? 0) >= 500 && (command === 'RCPT TO' || command === 'DATA');
}
