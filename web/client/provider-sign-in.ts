import { OidcClient, type SigninResponse, WebStorageStateStore } from 'oidc-client-ts';
import type { Account, SignInMethod } from './session.ts';
import type { ProviderSettings } from './settings.ts';
import { readStored, writeStored } from './storage.ts';

const WAS_SIGNED_IN = 'was-signed-in';
/** Kept for all tabs: whoever signs out is not signed in again without a question, also in tabs that were closed or away. */
const ASK_FOR_ACCOUNT = 'ask-for-account';
/** Errors of a silent sign-in after which the person has to sign in on the provider's page. */
const NEEDS_PERSON = [
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
];
const WITHOUT_QUESTION = { prompt: 'none' };
const RENEW_BEFORE_SECONDS = 30;
/** Time for the provider to answer a renewal. */
const RENEWAL_SECONDS = 10;

/**
 * Signs in at the identity provider: authorization code with PKCE. The session storage holds only what is not secret: the
 * state of a sign-in that is under way, and whether this tab was signed in.
 */
export class ProviderSignIn implements SignInMethod {
  /** The tokens are kept in memory only; null for whoever is signed out. */
  private tokens: SigninResponse | null = null;
  private renewal: Promise<void> | null = null;

  private constructor(private readonly client: OidcClient) {}

  static open({
    issuer,
    clientId,
    scopes,
    audience,
    redirectUri,
    endpoints,
  }: ProviderSettings): ProviderSignIn {
    if (!endpoints)
      throw new Error(
        'The identity provider cannot be reached, so you cannot sign in now. Reload the page to try again.',
      );
    if (!window.isSecureContext) throw new Error(`Signing in needs https: open this page at ${redirectUri}`);
    return new ProviderSignIn(
      new OidcClient({
        authority: issuer,
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: scopes,
        metadata: {
          issuer,
          authorization_endpoint: endpoints.authorization,
          token_endpoint: endpoints.token,
        },
        // Some providers issue a token for this service only if they are asked for it; others ignore the parameter.
        extraQueryParams: { audience },
        stateStore: new WebStorageStateStore({ store: sessionStorage }),
      }),
    );
  }

  async resume(): Promise<Account | null> {
    const parameters = new URLSearchParams(location.search);
    if (parameters.has('state') && (parameters.has('code') || parameters.has('error')))
      return this.complete();
    if (!readStored('sessionStorage', WAS_SIGNED_IN)) return null;
    // Removed first: if the provider fails, the next visit of the page must not leave it again.
    writeStored('sessionStorage', WAS_SIGNED_IN, null);
    return mustAsk() ? null : this.leave(WITHOUT_QUESTION);
  }

  async signIn(): Promise<Account | null> {
    return this.leave(mustAsk() ? { prompt: 'login' } : {});
  }

  async token(): Promise<string | null> {
    const current = validToken(this.tokens, RENEW_BEFORE_SECONDS);
    if (current !== null) return current;
    // One renewal for all requests: a refresh token may be usable only once.
    this.renewal ??= this.renew().finally(() => {
      this.renewal = null;
    });
    await this.renewal.catch(() => undefined);
    return validToken(this.tokens, 0);
  }

  private async renew(): Promise<void> {
    const { tokens } = this;
    if (!tokens?.refresh_token) return;
    const state = { ...tokens, refresh_token: tokens.refresh_token };
    const renewed = await this.client.useRefreshToken({ state, timeoutInSeconds: RENEWAL_SECONDS });
    // A provider may keep the refresh token that it has issued.
    renewed.refresh_token ??= tokens.refresh_token;
    if (this.tokens === tokens) this.tokens = renewed;
  }

  async signOut(): Promise<void> {
    this.tokens = null;
    writeStored('sessionStorage', WAS_SIGNED_IN, null);
    writeStored('localStorage', ASK_FOR_ACCOUNT, 'yes');
  }

  /** Completes a sign-in after the provider has sent the browser back, and returns to the page that was left. */
  private async complete(): Promise<Account | null> {
    let failure: unknown = null;
    let left: unknown;
    try {
      const response = await this.client.processSigninResponse(location.href);
      left = response.url_state;
      // Somebody may have signed out in another tab while the provider was asked.
      if (response.userState !== WITHOUT_QUESTION.prompt || !mustAsk()) {
        this.tokens = response;
        writeStored('sessionStorage', WAS_SIGNED_IN, 'yes');
        writeStored('localStorage', ASK_FOR_ACCOUNT, null);
      }
    } catch (error) {
      failure = error;
      left = stateOf(error);
    }
    // Removes the code from the address and from the history.
    history.replaceState(null, '', isOwnPath(left) ? left : location.pathname);
    if (failure && !NEEDS_PERSON.includes(codeOf(failure)))
      throw new Error(`The sign-in failed: ${textOf(failure)}`);
    return this.tokens && accountOf(this.tokens);
  }

  private async leave(parameters: { prompt?: string }): Promise<never> {
    const { url } = await this.client.createSigninRequest({
      ...parameters,
      state: parameters.prompt,
      url_state: location.pathname + location.search + location.hash,
    });
    location.assign(url);
    // The browser is leaving the page.
    return new Promise<never>(() => {});
  }
}

const mustAsk = () => readStored('localStorage', ASK_FOR_ACCOUNT) !== null;

/** Returns the access token if it is valid for more than these seconds. Some providers do not say how long it is. */
const validToken = (tokens: SigninResponse | null, seconds: number): string | null =>
  tokens && (tokens.expires_in ?? Infinity) > seconds ? tokens.access_token : null;

const accountOf = ({ profile: { sub, name, preferred_username, email } }: SigninResponse): Account => ({
  id: sub,
  name: name ?? preferred_username ?? email ?? sub,
});

const isOwnPath = (path: unknown): path is string => typeof path === 'string' && /^\/(?!\/)/.test(path);
const fieldOf = (error: unknown, name: string) =>
  typeof error === 'object' && error !== null ? (error as Record<string, unknown>)[name] : undefined;
const codeOf = (error: unknown) => String(fieldOf(error, 'error') ?? '');
const stateOf = (error: unknown) => fieldOf(error, 'url_state');
const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
