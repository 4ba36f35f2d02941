import { startProvider } from '../../docker/oidc-provider/provider.js';

/** The identity provider of the compose file, for one test file, with any account one asks for. */
export async function startTestProvider() {
  const provider = await startProvider({ accounts: [] });
  return {
    issuer: provider.issuer,
    /** A fresh access token of that account, asked for as anyone would: at the token endpoint. */
    async token(account: string, { admin = false } = {}): Promise<string> {
      const secret = 'a-secret-of-the-tests';
      provider.setAccount({ id: account, secret, roles: admin ? ['marketplace-admin'] : [] });
      const response = await fetch(`${provider.issuer}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${encodeURIComponent(account)}:${secret}`)}` },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      });
      const body = (await response.json()) as { access_token?: string };
      if (!body.access_token) throw new Error(`No token for ${account}: ${JSON.stringify(body)}`);
      return body.access_token;
    },
    rotateKeys: provider.rotateKeys,
    close: provider.close,
  };
}
