import type { Logger } from 'pino';
import { SignInDiscovery, type SignInEndpoints } from '../auth/provider-discovery.js';
import type { Config } from '../config.js';

/** The settings with which the page signs in at the identity provider. */
export interface SignInOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: string;
  readonly audience: string;
  readonly redirectUri: string;
  /** Null if the provider cannot be reached. */
  readonly endpoints: SignInEndpoints | null;
}

/** The sign-in of the playground: a public client of the identity provider (D173). */
export class PlaygroundSignIn {
  private constructor(
    private readonly settings: Omit<SignInOptions, 'endpoints'>,
    private readonly discovery: SignInDiscovery,
    private readonly log: Logger,
  ) {}

  /** Returns null if no client is configured. */
  static open({ oidc }: Pick<Config, 'oidc'>, publicUrl: string, log: Logger): PlaygroundSignIn | null {
    const { issuer, clientId, scopes, audience } = oidc;
    if (issuer === null || clientId === null) return null;
    const redirectUri = `${publicUrl.replace(/\/+$/, '')}/playground`;
    const settings = { issuer, clientId, scopes, audience, redirectUri };
    return new PlaygroundSignIn(settings, new SignInDiscovery(issuer), log);
  }

  async options(): Promise<SignInOptions> {
    try {
      return { ...this.settings, endpoints: await this.discovery.endpoints() };
    } catch (error) {
      this.log.warn({ err: error }, 'the playground cannot find the endpoints of the identity provider');
      return { ...this.settings, endpoints: null };
    }
  }
}
