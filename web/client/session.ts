import { DemoSignIn } from './demo-sign-in.ts';
import { settings } from './settings.ts';
import { Signal } from './signal.ts';

/** The person who is signed in. */
export interface Account {
  readonly id: string;
  readonly name: string;
}

/** A way to sign in. Tokens stay in its memory: nothing is stored that could be used from a stolen computer. */
export interface SignInMethod {
  /** Signs in without a question after a reload or a return from the provider; null if that is not possible. */
  resume(): Promise<Account | null>;
  /** Signs in. A provider leaves the page for this, and never returns from the call. */
  signIn(accountId?: string): Promise<Account | null>;
  /** Returns a token that is not about to expire, renewed if necessary; null if there is none. */
  token(): Promise<string | null>;
  signOut(): Promise<void>;
}

type SessionState =
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'signed-in'; readonly account: Account }
  /** The token has expired and could not be renewed. The page stays as it is. */
  | { readonly kind: 'expired'; readonly account: Account };

/** The session of this page. */
class Session {
  readonly state = new Signal<SessionState>({ kind: 'signed-out' });
  /** The reason why the last sign-in failed; null if it did not. */
  readonly failure = new Signal<string | null>(null);
  private method: SignInMethod | null = null;
  /** Tells the other tabs which account has signed out. */
  private readonly otherTabs = new BroadcastChannel(`signed out ${settings.base}`);

  constructor() {
    this.otherTabs.onmessage = ({ data }) => {
      const state = this.state.value;
      if (state.kind !== 'signed-out' && state.account.id === data) void this.leave();
    };
  }

  get canSignIn(): boolean {
    return this.method !== null;
  }

  /** Prepares the way to sign in and resumes the session of this tab. */
  async open(): Promise<void> {
    try {
      this.method = await signInMethod();
      this.enter((await this.method?.resume()) ?? null);
    } catch (error) {
      this.failure.value = error instanceof Error ? error.message : String(error);
    }
  }

  async signIn(accountId?: string): Promise<void> {
    this.failure.value = null;
    try {
      this.enter((await this.method?.signIn(accountId)) ?? null);
    } catch (error) {
      this.failure.value = error instanceof Error ? error.message : String(error);
    }
  }

  /** Signs out in all tabs. */
  async signOut(): Promise<void> {
    const state = this.state.value;
    if (state.kind !== 'signed-out') this.otherTabs.postMessage(state.account.id);
    await this.leave();
  }

  private async leave(): Promise<void> {
    await this.method?.signOut();
    this.state.value = { kind: 'signed-out' };
  }

  /** Returns the token of the account; null if nobody is signed in. While the session is expired, it waits. */
  async token(): Promise<string | null> {
    if (this.state.value.kind === 'expired') await this.signedInAgain();
    if (this.state.value.kind === 'signed-out' || !this.method) return null;
    const token = await this.method.token();
    if (token !== null) return token;
    this.expire();
    return this.token();
  }

  private signedInAgain(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.state.follow(({ kind }) => {
        if (kind === 'expired') return;
        stop();
        resolve();
      });
    });
  }

  /** Called when the service no longer accepts the token. */
  expire(): void {
    const state = this.state.value;
    if (state.kind === 'signed-in') this.state.value = { kind: 'expired', account: state.account };
  }

  private enter(account: Account | null): void {
    if (account) this.state.value = { kind: 'signed-in', account };
  }
}

async function signInMethod(): Promise<SignInMethod | null> {
  const { demoAccounts, signIn } = settings;
  if (demoAccounts) return new DemoSignIn(demoAccounts);
  if (!signIn) return null;
  const { ProviderSignIn } = await import('./provider-sign-in.ts');
  return ProviderSignIn.open(signIn);
}

export const session = new Session();
