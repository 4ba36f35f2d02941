import type { SendMailOptions, Transporter } from 'nodemailer';

/** A mail with all that its headers need. */
interface OutgoingMail {
  to: { name: string; address: string };
  subject: string;
  messageId: string;
  date: Date;
  html: string;
  text: string;
}

const secondMs = 1000;

/** The way to the mail server. */
export class MailTransport {
  private constructor(
    private readonly transporter: Transporter,
    private readonly from: string,
  ) {}

  /** What it is made of is loaded here: it is large, and without a mail server nobody needs it. */
  static async open(smtpUrl: string, from: string): Promise<MailTransport> {
    const { createTransport } = await import('nodemailer');
    const transporter = createTransport({
      url: smtpUrl,
      // One connection for many mails. What fails is tried again by the job, never unseen by the pool.
      pool: true,
      maxConnections: 1,
      maxRequeues: 0,
      idleTimeout: 20 * secondMs,
      // A server that says nothing must not hold up the mails behind this one for long.
      connectionTimeout: 10 * secondMs,
      greetingTimeout: 10 * secondMs,
      socketTimeout: 30 * secondMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return new MailTransport(transporter, from);
  }

  /** Ends well once the server has taken the mail. */
  async send({ to, ...mail }: OutgoingMail): Promise<void> {
    const options: SendMailOptions = {
      ...mail,
      from: this.from,
      // Not as a string, which would be read as a list.
      to: [to],
      headers: {
        'Auto-Submitted': 'auto-generated',
        'X-Auto-Response-Suppress': 'All',
      },
    };
    await this.transporter.sendMail(options);
  }

  close(): void {
    this.transporter.close();
  }
}

/** Whether the server has refused this very mail, and not us or everybody: only then are other mails not concerned. */
export function isRefusedForGood(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { responseCode, command } = error as Error & { responseCode?: number; command?: string };
  return (responseCode ?? 0) >= 500 && (command === 'RCPT TO' || command === 'DATA');
}
