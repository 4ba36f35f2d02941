import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, {
  type AdapterFactory,
  type AdapterPayload,
  type Configuration,
  type JWK,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import { signIn } from './sign-in.ts';
import { memoryStorage } from './storage.ts';

/** An account of the host platform. */
export interface Account {
  /** The account's id: the `sub` of its tokens. */
  id: string;
  /** The client secret for the token endpoint, and the password of the sign-in page. */
  secret: string;
  /** The `roles` claim of its tokens. */
  roles?: string[];
  /** Further claims of its tokens. */
  claims?: Record<string, unknown>;
}

/** An application that runs in a browser and has no secret. */
export interface PublicClient {
  id: string;
  redirectUris: string[];
}

export interface ProviderOptions {
  /** Port to listen on; 0 or absent means any free port. */
  port?: number;
  /** Address to listen on; by default only this machine can connect. */
  host?: string;
  /** Issuer in the tokens; by default the address that it listens on. */
  issuer?: string;
  audience?: string;
  accounts: Account[];
  clients?: PublicClient[];
}

export interface RunningProvider {
  issuer: string;
  port: number;
  /** Creates or replaces an account. */
  setAccount(account: Account): void;
  /** Creates or replaces a client with which accounts sign in at the provider's own page. */
  setClient(client: PublicClient): void;
  /** Changes the lifetime of the tokens that are issued from now on. */
  setTokenSeconds(seconds: number): void;
  /** Ends all sessions: accounts must sign in again, and refresh tokens no longer work. */
  endSessions(): void;
  /** Replaces the signing key. Unless the former keys stay published, tokens issued so far become invalid. */
  rotateKeys(options?: { keepFormer?: boolean }): void;
  close(): Promise<void>;
}

/** Resource indicators must be URIs (RFC 8707); the tokens contain the plain audience instead. */
const RESOURCE = 'urn:marketplace-gateway';
const TOKEN_SECONDS = 3600;
const DAY = 24 * 3600;

/**
 * Starts a small but real OpenID provider for the compose file and the tests: discovery, JWKS, and JWT access tokens
 * (RFC 9068). An account is a confidential client of the same id, so that one request returns a token for it; and it can
 * sign in at a public client with authorization code and PKCE.
 */
export async function startProvider(options: ProviderOptions): Promise<RunningProvider> {
  const accounts = new Map(options.accounts.map((account) => [account.id, account]));
  const clients = new Map(options.clients?.map((client) => [client.id, client]));
  let handler: RequestListener | undefined;
  const server = createServer((request, response) => handler?.(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve);
  });

  const { port } = server.address() as AddressInfo;
  const issuer = options.issuer ?? `http://127.0.0.1:${port}`;
  const findClient = (id: string) => clientOf(accounts.get(id), clients.get(id));
  const state = {
    accounts,
    audience: options.audience ?? 'marketplace-gateway',
    keys: [] as JWK[],
    cookieKey: randomBytes(32).toString('hex'),
    tokenSeconds: TOKEN_SECONDS,
    storage: memoryStorage(findClient),
  };
  const restart = () => {
    // A Provider cannot change its keys, so a new one is created.
    const provider = new Provider(issuer, configuration(state));
    const isCorrect = (id: string, secret: string) => accounts.get(id)?.secret === secret;
    const answer = provider.callback();
    handler = (request, response) =>
      request.url?.startsWith('/interaction/')
        ? signIn(provider, isCorrect, request, response)
        : answer(request, response);
  };
  const rotateKeys = ({ keepFormer = false } = {}) => {
    // The first key signs.
    state.keys = [newKey(), ...(keepFormer ? state.keys : [])];
    restart();
  };
  rotateKeys();

  return {
    issuer,
    port,
    setAccount: (account) => accounts.set(account.id, account),
    setClient: (client) => clients.set(client.id, client),
    setTokenSeconds(seconds) {
      state.tokenSeconds = seconds;
    },
    endSessions() {
      state.storage = memoryStorage(findClient);
      restart();
    },
    rotateKeys,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const newKey = (): JWK => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  alg: 'RS256',
  use: 'sig',
  kid: randomUUID(),
});

interface ProviderState {
  accounts: ReadonlyMap<string, Account>;
  audience: string;
  keys: JWK[];
  cookieKey: string;
  tokenSeconds: number;
  storage: AdapterFactory;
}

function configuration(state: ProviderState): Configuration {
  const { accounts, audience, keys, cookieKey, storage } = state;
  return {
    adapter: storage,
    jwks: { keys },
    cookies: { keys: [cookieKey] },
    ttl: {
      ClientCredentials: TOKEN_SECONDS,
      AccessToken: (_context, token) => token.resourceServer?.accessTokenTTL ?? TOKEN_SECONDS,
      Session: DAY,
      Grant: DAY,
      RefreshToken: DAY,
      Interaction: 600,
      IdToken: 600,
    },
    extraTokenClaims: (_context, token) => {
      const account = accounts.get('accountId' in token ? token.accountId : (token.clientId ?? ''));
      return { roles: account?.roles ?? [], ...account?.claims };
    },
    findAccount: (_context, id) =>
      accounts.has(id) ? { accountId: id, claims: () => ({ sub: id, name: `Account ${id}` }) } : undefined,
    claims: { openid: ['sub'], profile: ['name'] },
    // Otherwise the name would have to be fetched from the userinfo endpoint.
    conformIdTokenClaims: false,
    loadExistingGrant: grantEverything,
    issueRefreshToken: (_context, client) => client.grantTypeAllowed('refresh_token'),
    clientBasedCORS: (_context, origin, client) =>
      client.redirectUris?.some((uri) => new URL(uri).origin === origin) ?? false,
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => RESOURCE,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          audience,
          scope: '',
          accessTokenFormat: 'jwt',
          accessTokenTTL: state.tokenSeconds,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  };
}

/** Grants a client what it asks for without a question, because all clients are the operator's own. */
async function grantEverything({ oidc }: KoaContextWithOIDC) {
  const { provider, session, client, requestParamScopes } = oidc;
  if (!session?.accountId || !client) return undefined;
  const known = session.grantIdFor(client.clientId);
  const grant =
    (known && (await provider.Grant.find(known))) ||
    new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope([...requestParamScopes].join(' '));
  await grant.save();
  return grant;
}

function clientOf(
  account: Account | undefined,
  client: PublicClient | undefined,
): AdapterPayload | undefined {
  if (client)
    return {
      client_id: client.id,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      redirect_uris: client.redirectUris,
    };
  if (!account) return undefined;
  return {
    client_id: account.id,
    client_secret: account.secret,
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
  };
}

if (import.meta.main) {
  const { PORT = '9000', ISSUER, REDIRECT_URIS } = process.env;
  const provider = await startProvider({
    port: Number(PORT),
    host: '0.0.0.0',
    ...(ISSUER ? { issuer: ISSUER } : {}),
    accounts: [
      { id: 'admin', secret: 'admin-demo', roles: ['marketplace-admin'] },
      { id: 'developer', secret: 'developer-demo' },
    ],
    clients: REDIRECT_URIS ? [{ id: 'marketplace', redirectUris: REDIRECT_URIS.split(' ') }] : [],
  });
  console.log(`Identity provider ${provider.issuer} on port ${provider.port}; accounts: admin, developer`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void provider.close());
}
