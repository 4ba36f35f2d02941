import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';

type Claims = Record<string, unknown>;

/** The claims that GitHub Actions gives to a job of `release.yml` in `acme/notes`. */
export const gitHubClaims = (claims: Claims = {}): Claims => ({
  repository: 'acme/notes',
  repository_id: '1001',
  repository_owner: 'acme',
  workflow_ref: 'acme/notes/.github/workflows/release.yml@refs/tags/v1.0.0',
  ref: 'refs/tags/v1.0.0',
  environment: 'marketplace',
  ...claims,
});

/** The claims that GitLab gives to a job of `acme/tools/notes`. */
export const gitLabClaims = (claims: Claims = {}): Claims => ({
  project_path: 'acme/tools/notes',
  project_id: '2002',
  ci_config_ref_uri: 'gitlab.example/acme/tools/notes//.gitlab-ci.yml@refs/tags/v1.0.0',
  ref: 'v1.0.0',
  ref_path: 'refs/tags/v1.0.0',
  environment: 'marketplace',
  ...claims,
});

/** An issuer of identities for pipelines, as a forge runs one: with a discovery document, keys, and tokens on request. */
export class PipelineIssuer {
  /** What was asked of it so far, by path. */
  readonly asked: string[] = [];
  private readonly server = createServer((request, response) => {
    const path = request.url ?? '';
    this.asked.push(path);
    this.answer(path, request.headers.authorization)
      .then((body) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body)))
      .catch(() => response.writeHead(500).end());
  });
  private keys!: { privateKey: CryptoKey; publicKey: CryptoKey };
  url = '';
  /** The claims of tokens that jobs request themselves. */
  jobClaims: Claims = gitHubClaims();
  readonly requestToken = `request-${randomUUID()}`;

  static async start(): Promise<PipelineIssuer> {
    const issuer = new PipelineIssuer();
    issuer.keys = await generateKeyPair('RS256', { extractable: true });
    await new Promise<void>((resolve) => issuer.server.listen(0, '127.0.0.1', resolve));
    issuer.url = `http://127.0.0.1:${(issuer.server.address() as AddressInfo).port}`;
    return issuer;
  }

  get publicKey(): CryptoKey {
    return this.keys.publicKey;
  }

  /** Signs a token; `claims` replace those that every token has. */
  async token(
    audience: string,
    claims: Claims,
    { header = {}, key = this.keys.privateKey }: { header?: Claims; key?: CryptoKey | Uint8Array } = {},
  ): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const common = {
      iss: this.url,
      aud: audience,
      iat: now,
      nbf: now,
      exp: now + 300,
      jti: randomUUID(),
      sub: 'job',
    };
    return new SignJWT({ ...common, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one', typ: 'JWT', ...header })
      .sign(key);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(path: string, authorization: string | undefined): Promise<unknown> {
    if (path === '/.well-known/openid-configuration')
      return { issuer: this.url, jwks_uri: `${this.url}/jwks` };
    if (path === '/jwks')
      return { keys: [{ ...(await exportJWK(this.keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] };
    const { pathname, searchParams } = new URL(path, this.url);
    if (pathname === '/token' && authorization === `Bearer ${this.requestToken}`)
      return { value: await this.token(searchParams.get('audience') ?? '', this.jobClaims) };
    throw new Error(`there is no ${path}`);
  }
}
