import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Adapter, type AdapterPayload, type Configuration, type JWK } from 'oidc-provider';

/** An account of the host platform. */
export interface Account {
  /** The account's id: the `sub` of its tokens. */
  id: string;
  /** The client secret for the token endpoint. */
  secret: string;
  /** The `roles` claim of its tokens. */
  roles?: string[];
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
}

export interface RunningProvider {
  issuer: string;
  port: number;
  /** Creates or replaces an account. */
  setAccount(account: Account): void;
  /** Replaces the signing key. Unless the former keys stay published, tokens issued so far become invalid. */
  rotateKeys(options?: { keepFormer?: boolean }): void;
  close(): Promise<void>;
}

/** Resource indicators must be URIs (RFC 8707); the tokens contain the plain audience instead. */
const RESOURCE = 'urn:marketplace-gateway';
const TOKEN_SECONDS = 3600;

/**
 * Starts a small but real OpenID provider for the compose file and the tests: discovery, JWKS, and JWT access tokens
 * (RFC 9068). An account is a confidential client of the same id, so that one request returns a token for it.
 */
export async function startProvider(options: ProviderOptions): Promise<RunningProvider> {
  const accounts = new Map(options.accounts.map((account) => [account.id, account]));
  let handler: ReturnType<Provider['callback']> | undefined;
  const server = createServer((request, response) => handler?.(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve);
  });

  const { port } = server.address() as AddressInfo;
  const issuer = options.issuer ?? `http://127.0.0.1:${port}`;
  let keys: JWK[] = [];
  const rotateKeys = ({ keepFormer = false } = {}) => {
    const audience = options.audience ?? 'marketplace-gateway';
    // The first key signs.
    keys = [newKey(), ...(keepFormer ? keys : [])];
    // A Provider cannot change its keys, so a new one is created; it has no other state.
    handler = new Provider(issuer, configuration(accounts, audience, keys)).callback();
  };
  rotateKeys();

  return {
    issuer,
    port,
    setAccount: (account) => accounts.set(account.id, account),
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

function configuration(accounts: Map<string, Account>, audience: string, keys: JWK[]): Configuration {
  return {
    adapter: (model) => new AccountsAsClients(model, accounts),
    jwks: { keys },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    ttl: { ClientCredentials: TOKEN_SECONDS },
    extraTokenClaims: (_ctx, token) => ({ roles: accounts.get(token.clientId ?? '')?.roles ?? [] }),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => RESOURCE,
        getResourceServerInfo: () => ({
          audience,
          scope: '',
          accessTokenFormat: 'jwt',
          accessTokenTTL: TOKEN_SECONDS,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  };
}

/** Finds clients among the accounts. Nothing else is stored, because a JWT contains everything. */
class AccountsAsClients implements Adapter {
  readonly #model: string;
  readonly #accounts: Map<string, Account>;

  constructor(model: string, accounts: Map<string, Account>) {
    this.#model = model;
    this.#accounts = accounts;
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const account = this.#model === 'Client' ? this.#accounts.get(id) : undefined;
    return (
      account && {
        client_id: account.id,
        client_secret: account.secret,
        grant_types: ['client_credentials'],
        response_types: [],
        redirect_uris: [],
      }
    );
  }

  async upsert() {}
  async findByUserCode() {
    return undefined;
  }
  async findByUid() {
    return undefined;
  }
  async consume() {}
  async destroy() {}
  async revokeByGrantId() {}
}

if (import.meta.main) {
  const { PORT = '9000', ISSUER } = process.env;
  const provider = await startProvider({
    port: Number(PORT),
    host: '0.0.0.0',
    ...(ISSUER ? { issuer: ISSUER } : {}),
    accounts: [
      { id: 'admin', secret: 'admin-demo', roles: ['marketplace-admin'] },
      { id: 'developer', secret: 'developer-demo' },
    ],
  });
  console.log(`Identity provider ${provider.issuer}; accounts: admin, developer`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void provider.close());
}
