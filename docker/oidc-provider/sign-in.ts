import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type Provider from 'oidc-provider';

/** Serves the sign-in page: a form for the id of an account and its secret. */
export async function signIn(
  provider: Provider,
  isCorrect: (id: string, secret: string) => boolean,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const { uid } = await provider.interactionDetails(request, response);
    if (request.method !== 'POST') return sendPage(response, 200, form(uid, ''));
    const fields = new URLSearchParams(await text(request));
    const id = fields.get('account') ?? '';
    if (!isCorrect(id, fields.get('secret') ?? ''))
      return sendPage(
        response,
        401,
        form(uid, '<p role="alert">There is no such account, or the secret is wrong.</p>'),
      );
    await provider.interactionFinished(request, response, { login: { accountId: id } });
  } catch {
    sendPage(response, 400, '<p>This sign-in has ended. Go back to the application and start again.</p>');
  }
}

const form = (uid: string, message: string) => `<h1>Sign in</h1>${message}
<form method="post" action="/interaction/${uid}">
  <p><label>Account <input name="account" autocomplete="username" required autofocus></label></p>
  <p><label>Secret <input name="secret" type="password" autocomplete="current-password" required></label></p>
  <p><button>Sign in</button></p>
</form>`;

function sendPage(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  response.end(
    `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>Sign in</title><body style="font-family: system-ui; margin: 2rem">${body}`,
  );
}
