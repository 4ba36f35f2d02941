import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** State of the connection to the provider: open, cut, without responses, or with responses of the test. */
type Line = 'open' | 'cut' | 'silent' | ((path: string, response: ServerResponse) => boolean);

interface AccountOptions {
  admin?: boolean;
  /** Further claims of its tokens. */
  claims?: Record<string, unknown>;
}

/** The identity provider of the compose file, for one test file, with any account one asks for, behind a line that can fail. */
export async function startTestProvider() {
  // It waits while it is loaded, which only an import at this time may.
  const { startProvider } = await import('../../docker/oidc-provider/provider.js');
  let line: Line = 'open';
  const asked: string[] = [];
  const front = createServer();
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  const provider = await startProvider({
    issuer: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
    accounts: [],
  });
  front.on('request', (incoming: IncomingMessage, response: ServerResponse) => {
    const path = incoming.url ?? '';
    asked.push(path);
    if (line === 'cut') return void incoming.socket.destroy();
    if (line === 'silent') return;
    if (line !== 'open' && line(path, response)) return;
    const { method, headers } = incoming;
    const onward = forward({ port: provider.port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(onward);
  });

  const account = (id: string, { admin = false, claims = {} }: AccountOptions = {}) => {
    const created = {
      id,
      secret: 'a-secret-of-the-tests',
      roles: admin ? ['marketplace-admin'] : [],
      claims,
    };
    provider.setAccount(created);
    return created;
  };
  const close = async () => {
    front.closeAllConnections();
    await new Promise((resolve) => front.close(resolve));
    await provider.close();
  };
  return {
    issuer: provider.issuer,
    /** Number of requests so far, by path. */
    asked,
    setLine(next: Line) {
      line = next;
      asked.length = 0;
    },
    /** Creates an account, which can sign in on the provider's page with its id and this secret. */
    account,
    /** A fresh access token of that account, asked for as anyone would: at the token endpoint. */
    async token(id: string, options: AccountOptions = {}): Promise<string> {
      const { secret } = account(id, options);
      const response = await fetch(`${provider.issuer}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${encodeURIComponent(id)}:${secret}`)}` },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      });
      const body = (await response.json()) as { access_token?: string };
      if (!body.access_token) throw new Error(`No token for ${id}: ${JSON.stringify(body)}`);
      return body.access_token;
    },
    setClient: provider.setClient,
    setTokenSeconds: provider.setTokenSeconds,
    endSessions: provider.endSessions,
    rotateKeys: provider.rotateKeys,
    close,
    [Symbol.asyncDispose]: close,
  };
}
