import { query } from '../project/app/src/fetch';
import { session } from '../project/app/src/session';

/** Returns a token of an account from the identity provider of a development server. */
export async function tokenOf(accountUserId: string, options: { admin?: boolean } = {}): Promise<string> {
  const response = await fetch(`${session.url}/dev/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ accountUserId, ...options }),
  });
  return (await response.json()).accessToken;
}

/** Runs a document as an administrator; the session stays that of the user. */
export async function asAdministrator(document: string, variables: Record<string, unknown>): Promise<void> {
  const { token } = session;
  session.token = await tokenOf('clients-admin', { admin: true });
  const { errors } = await query(document, variables);
  session.token = token;
  if (errors) throw new Error(JSON.stringify(errors));
}

/** A listing that can be submitted. */
export const aListing = (name: string) => ({
  name,
  description: 'Counts the tasks you finish.',
  category: 'ANALYTICS' as const,
  environment: 'production' as const,
  screenshots: [{ url: 'https://pictures.example/1.png' }, { url: 'https://pictures.example/2.png' }],
});
