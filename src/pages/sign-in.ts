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

/** The sign-in of the pages: a public client of the identity provider (D173). */
export class SignIn {
  private constructor(
    private readonly publicUrl: string,
    private readonly settings: Omit<SignInOptions, 'endpoints' | 'redirectUri'>,
    private readonly discovery: SignInDiscovery,
    private readonly log: Logger,
  ) {}

  /** Returns null if no client is configured. */
  static open({ oidc }: Pick<Config, 'oidc'>, publicUrl: string, log: Logger): SignIn | null {
    const { issuer, clientId, scopes, audience } = oidc;
    if (issuer === null || clientId === null) return null;
    const settings = { issuer, clientId, scopes, audience };
    return new SignIn(publicUrl.replace(/\/+$/, ''), settings, new SignInDiscovery(issuer), log);
  }

  /** Returns the settings for a page, such as `playground`, to which the provider sends the browser back. */
  async options(page: string): Promise<SignInOptions> {
    const settings = { ...this.settings, redirectUri: `${this.publicUrl}/${page}` };
    try {
      return { ...settings, endpoints: await this.discovery.endpoints() };
    } catch (error) {
      this.log.warn({ err: error }, `/${page} cannot find the endpoints of the identity provider`);
      return { ...settings, endpoints: null };
    }
  }
}
