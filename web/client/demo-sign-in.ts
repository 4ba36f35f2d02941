import type { Account, SignInMethod } from './session.ts';
import { type DemoAccount, pathOf } from './settings.ts';
import { readStored, writeStored } from './storage.ts';

const STORED = 'demo-account';
/** Set while an account is signed in: its sign-out holds for all tabs, also for those that were closed or away. */
const signedIn = (accountId: string) => `${STORED}:${accountId}`;

/**
 * Signs in as a demo account of a development server. The name of the account is kept, for this tab over a reload and for
 * new tabs; the token is not.
 */
export class DemoSignIn implements SignInMethod {
  private current: { token: string; expiresAt: number; account: DemoAccount } | null = null;

  constructor(private readonly accounts: readonly DemoAccount[]) {}

  async resume(): Promise<Account | null> {
    const stored = readStored('sessionStorage', STORED) ?? readStored('localStorage', STORED);
    if (stored !== null && readStored('localStorage', signedIn(stored))) return this.signIn(stored);
    writeStored('sessionStorage', STORED, null);
    return null;
  }

  async signIn(accountId?: string): Promise<Account | null> {
    const account = this.accounts.find(({ accountUserId }) => accountUserId === accountId);
    if (!account) return null;
    const { accountUserId, admin, name, email, emailVerified } = account;
    const response = await fetch(pathOf('/dev/token'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ accountUserId, admin, name, email, emailVerified }),
    });
    if (!response.ok) throw new Error(`Signing in as ${name} failed. Try again.`);
    const { accessToken, expiresIn }: { accessToken: string; expiresIn: number } = await response.json();
    this.current = { token: accessToken, expiresAt: Date.now() + expiresIn * 1000, account };
    writeStored('sessionStorage', STORED, accountUserId);
    writeStored('localStorage', STORED, accountUserId);
    writeStored('localStorage', signedIn(accountUserId), 'yes');
    return { id: accountUserId, name };
  }

  async token(): Promise<string | null> {
    if (this.current && this.current.expiresAt < Date.now())
      await this.signIn(this.current.account.accountUserId);
    return this.current?.token ?? null;
  }

  async signOut(): Promise<void> {
    const left = this.current?.account.accountUserId ?? '';
    this.current = null;
    writeStored('sessionStorage', STORED, null);
    writeStored('localStorage', signedIn(left), null);
    // Another tab may have signed in as somebody else since.
    if (readStored('localStorage', STORED) === left) writeStored('localStorage', STORED, null);
  }
}
