import { type Config, keepsMails } from '../../config.js';
import { verifyMailServer } from '../../modules/notifications/mail-transport.service.js';
import { type CheckResult, reasonOf, resultsOf } from './check-result.js';

const { ok, warn, fail } = resultsOf('mail');

/** Checks the mail server, the encryption of its connection, and the sender. Sends no mail. */
export async function checkMail(config: Config): Promise<CheckResult[]> {
  const { smtpUrl, from } = config.mail;
  if (keepsMails(config)) return [ok('no SMTP_URL: mails are shown at /dev/mailbox')];
  if (smtpUrl === null)
    return [
      warn('SMTP_URL is not set: mails are stored and never sent', 'Set SMTP_URL to your mail server.'),
    ];
  return [await checkServer(smtpUrl), checkSender(from)];
}

async function checkServer(smtpUrl: string): Promise<CheckResult> {
  // The full URL is not repeated because it contains the password.
  const { host } = new URL(smtpUrl);
  const encrypted = await attempt(smtpUrl, true);
  if (encrypted === null) return ok(`${host}: connected with TLS`);
  const unencrypted = await attempt(smtpUrl, false);
  if (unencrypted !== null)
    return fail(`${host} cannot be used (${unencrypted})`, 'Check SMTP_URL, its user and its password.');
  return warn(
    `${host}: connected, but not encrypted (${encrypted})`,
    'Use smtps://, or a mail server with STARTTLS and a valid certificate.',
  );
}

/** Connects once, and returns the reason of a failure. */
const attempt = (smtpUrl: string, requireTLS: boolean): Promise<string | null> =>
  verifyMailServer(smtpUrl, { requireTLS }).then(() => null, reasonOf);

function checkSender(from: string): CheckResult {
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? '';
  return domain.includes('.')
    ? ok(`sender ${from}`)
    : warn(`sender ${from}: other mail servers reject it`, 'Set MAIL_FROM to an address of your domain.');
}
