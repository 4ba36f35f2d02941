/**
 * Module of the playground page: the account that its tabs call the service with. Tokens are kept in the memory of this
 * page only, so that neither Altair nor the browser stores them (D173). It signs in as the other pages do.
 */
export const ACCOUNT_SCRIPT = `
import { forgetTabs } from './storage.js';

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

async function signedInToken(settings) {
  const { ProviderSignIn } = await import('./provider-sign-in.js');
  let method = null;
  let account = null;
  try {
    method = ProviderSignIn.open(settings);
    account = await method.resume();
  } catch (error) {
    showNotice(error.message);
  }
  if (!method) return () => null;
  const base = new URL('..', document.baseURI).pathname.slice(0, -1);
  const otherTabs = new BroadcastChannel('signed out ' + base);
  const leave = async () => {
    await method.signOut();
    await forgetTabs();
    location.reload();
  };
  otherTabs.onmessage = ({ data }) => {
    if (data === account?.id) void leave();
  };
  const showState = () => {
    if (!account) return showButton('Sign in', 'Sign in with your identity provider', () => method.signIn());
    showButton('Sign out', 'Signed in as ' + account.name, () => {
      otherTabs.postMessage(account.id);
      return leave();
    });
  };
  showState();
  return async () => {
    const token = await method.token();
    if (account && token === null) {
      account = null;
      showState();
      showNotice('Your sign-in has expired. Sign in again: your tabs stay as they are.');
    }
    return token;
  };
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
