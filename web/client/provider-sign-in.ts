import { InMemoryWebStorage, type User, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import type { Account, SignInMethod } from './session.ts';
import type { ProviderSettings } from './settings.ts';

const WAS_SIGNED_IN = 'was-signed-in';
/** Kept for all tabs: whoever signs out must not be signed in again in another tab without a question. */
const ASK_FOR_ACCOUNT = 'ask-for-account';
/** Errors of a silent sign-in after which the person has to sign in on the provider's page. */
const NEEDS_PERSON = [
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
];
const RENEW_BEFORE_SECONDS = 30;

/**
 * Signs in at the identity provider: authorization code with PKCE. The session storage holds only what is not secret: the
 * state of a sign-in that is under way, and whether this tab was signed in.
 */
export class ProviderSignIn implements SignInMethod {
  private renewal: Promise<User | null> | null = null;

  private constructor(private readonly manager: UserManager) {}

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
      new UserManager({
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
        userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
        stateStore: new WebStorageStateStore({ store: sessionStorage }),
        automaticSilentRenew: false,
      }),
    );
  }

  async resume(): Promise<Account | null> {
    const parameters = new URLSearchParams(location.search);
    if (parameters.has('state') && (parameters.has('code') || parameters.has('error')))
      return this.complete();
    if (!sessionStorage.getItem(WAS_SIGNED_IN)) return null;
    // Removed first: if the provider fails, the next visit of the page must not leave it again.
    sessionStorage.removeItem(WAS_SIGNED_IN);
    return this.leave({ prompt: 'none' });
  }

  async signIn(): Promise<Account | null> {
    return this.leave(localStorage.getItem(ASK_FOR_ACCOUNT) ? { prompt: 'login' } : {});
  }

  async token(): Promise<string | null> {
    const user = await this.manager.getUser();
    if (!user) return null;
    if (user.expires_in === undefined || user.expires_in > RENEW_BEFORE_SECONDS) return user.access_token;
    if (user.refresh_token) {
      // One renewal for all requests: a refresh token may be usable only once.
      this.renewal ??= this.manager.signinSilent().finally(() => {
        this.renewal = null;
      });
      const renewed = await this.renewal.catch(() => null);
      if (renewed) return renewed.access_token;
    }
    return user.expired ? null : user.access_token;
  }

  async signOut(): Promise<void> {
    await this.manager.removeUser();
    sessionStorage.removeItem(WAS_SIGNED_IN);
    localStorage.setItem(ASK_FOR_ACCOUNT, 'yes');
  }

  /** Completes a sign-in after the provider has sent the browser back, and returns to the page that was left. */
  private async complete(): Promise<Account | null> {
    let user: User | null = null;
    let failure: unknown = null;
    try {
      user = await this.manager.signinRedirectCallback();
      sessionStorage.setItem(WAS_SIGNED_IN, 'yes');
      localStorage.removeItem(ASK_FOR_ACCOUNT);
    } catch (error) {
      failure = error;
    }
    const left = user?.url_state ?? stateOf(failure);
    // Removes the code from the address and from the history.
    history.replaceState(null, '', isOwnPath(left) ? left : location.pathname);
    if (failure && !NEEDS_PERSON.includes(codeOf(failure)))
      throw new Error(`The sign-in failed: ${textOf(failure)}`);
    return user && accountOf(user);
  }

  private async leave(parameters: { prompt?: string }): Promise<never> {
    await this.manager.signinRedirect({
      ...parameters,
      url_state: location.pathname + location.search + location.hash,
    });
    // The browser is leaving the page.
    return new Promise<never>(() => {});
  }
}

const accountOf = ({ profile: { sub, name, preferred_username, email } }: User): Account => ({
  id: sub,
  name: name ?? preferred_username ?? email ?? sub,
});

const isOwnPath = (path: unknown): path is string => typeof path === 'string' && /^\/(?!\/)/.test(path);
const fieldOf = (error: unknown, name: string) =>
  typeof error === 'object' && error !== null ? (error as Record<string, unknown>)[name] : undefined;
const codeOf = (error: unknown) => String(fieldOf(error, 'error') ?? '');
const stateOf = (error: unknown) => fieldOf(error, 'url_state');
const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
