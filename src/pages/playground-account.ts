/**
 * Module of the playground page: the account that its tabs call the service with. Tokens are kept in the memory of this
 * module only, so that neither Altair nor the browser stores them (D173). The session storage holds what is not secret: the
 * state of a sign-in that is under way, and whether this tab was signed in.
 */
export const ACCOUNT_SCRIPT = `
import { forgetTabs } from './storage.js';

const WAS_SIGNED_IN = 'playground-signed-in';
const ASK_FOR_ACCOUNT = 'playground-ask-for-account';
const VIEW = 'playground-view';
/** Errors of a silent sign-in after which the person has to sign in on the provider's page. */
const NEEDS_PERSON = ['login_required', 'interaction_required', 'consent_required', 'account_selection_required'];
const RENEW_BEFORE_SECONDS = 30;

/** Returns a function from a placeholder to its token: null without one, undefined for any other text. */
export async function openAccount({ tokens, signIn, signedIn }) {
  if (Object.keys(tokens).length > 0) return (name) => tokens[name];
  const token = signIn ? await signedInToken(signIn) : pastedToken();
  return (name) => (name === signedIn ? token() : undefined);
}

function pastedToken() {
  let token = null;
  const ask = () => {
    const given = prompt('Access token or API key for all tabs. It is forgotten when you leave or reload this page.');
    if (given !== null) token = given.replace(/^\\s*Bearer\\s/i, '').trim() || null;
    showButton(token ? 'Token set' : 'Token', 'Set the token that all tabs use', ask);
  };
  showButton('Token', 'Set the token that all tabs use', ask);
  return () => token;
}

async function signedInToken(signIn) {
  if (!signIn.endpoints || !window.isSecureContext) {
    showNotice(
      signIn.endpoints
        ? 'Signing in needs https: open this page at ' + signIn.redirectUri
        : 'The identity provider cannot be reached, so you cannot sign in now. Reload the page to try again.',
    );
    return () => null;
  }
  const manager = createManager(signIn);
  const leave = (parameters) => {
    sessionStorage.setItem(VIEW, location.search);
    return manager.signinRedirect(parameters);
  };
  await resume(manager, leave);
  showState(manager, await manager.getUser(), leave);
  return () => currentToken(manager, leave);
}

function createManager({ issuer, clientId, scopes, audience, redirectUri, endpoints }) {
  const { UserManager, WebStorageStateStore, InMemoryWebStorage } = window.oidc;
  return new UserManager({
    authority: issuer,
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes,
    metadata: { issuer, authorization_endpoint: endpoints.authorization, token_endpoint: endpoints.token },
    // Some providers issue a token for this service only if they are asked for it; others ignore the parameter.
    extraQueryParams: { audience },
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    stateStore: new WebStorageStateStore({ store: sessionStorage }),
    automaticSilentRenew: false,
  });
}

/** Completes a sign-in if the provider has sent the browser back; after a reload, signs in again without a question. */
async function resume(manager, leave) {
  const parameters = new URLSearchParams(location.search);
  if (parameters.has('state') && (parameters.has('code') || parameters.has('error'))) {
    try {
      await manager.signinRedirectCallback();
      sessionStorage.setItem(WAS_SIGNED_IN, 'yes');
      sessionStorage.removeItem(ASK_FOR_ACCOUNT);
    } catch (error) {
      if (!NEEDS_PERSON.includes(error.error)) showNotice('The sign-in failed: ' + error.message);
    }
    // Removes the code from the address and from the history.
    history.replaceState(null, '', location.pathname + (sessionStorage.getItem(VIEW) ?? ''));
  } else if (sessionStorage.getItem(WAS_SIGNED_IN)) {
    // Removed first: if the provider fails, the next visit of the page must not leave it again.
    sessionStorage.removeItem(WAS_SIGNED_IN);
    await leave({ prompt: 'none' });
    await new Promise(() => {});
  }
}

function showState(manager, user, leave) {
  if (!user) {
    const prompt = sessionStorage.getItem(ASK_FOR_ACCOUNT) ? { prompt: 'login' } : {};
    return showButton('Sign in', 'Sign in with your identity provider', () => leave(prompt));
  }
  const { name, preferred_username, email, sub } = user.profile;
  showButton('Sign out', 'Signed in as ' + (name ?? preferred_username ?? email ?? sub), async () => {
    await manager.removeUser();
    sessionStorage.removeItem(WAS_SIGNED_IN);
    sessionStorage.setItem(ASK_FOR_ACCOUNT, 'yes');
    await forgetTabs();
    location.reload();
  });
}

let renewal = null;

/** Returns the access token, renewed if it is about to expire and the provider has issued a refresh token. */
async function currentToken(manager, leave) {
  const user = await manager.getUser();
  if (!user || user.expires_in === undefined || user.expires_in > RENEW_BEFORE_SECONDS) return user?.access_token ?? null;
  if (user.refresh_token) {
    // One renewal for all requests: a refresh token may be usable only once.
    renewal ??= manager.signinSilent().finally(() => { renewal = null; });
    const renewed = await renewal.catch(() => null);
    if (renewed) return renewed.access_token;
  }
  if (!user.expired) return user.access_token;
  await manager.removeUser();
  showState(manager, null, leave);
  showNotice('Your sign-in has expired. Sign in again: your tabs stay as they are.');
  return null;
}

function showButton(text, title, act) {
  const button = document.querySelector('.frame .account');
  Object.assign(button, { textContent: text, title, hidden: false, onclick: act });
}

function showNotice(text) {
  const notice = document.querySelector('.notice');
  Object.assign(notice, { textContent: text, hidden: false, onclick: () => { notice.hidden = true; } });
}
`;
