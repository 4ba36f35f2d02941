import type { ComponentChildren } from 'preact';
import { keepPlace, type Purpose } from '../client/place.ts';
import { session } from '../client/session.ts';
import { type DemoAccount, settings } from '../client/settings.ts';
import { useSignal } from '../client/signal.ts';
import { Dialog } from './dialog.tsx';
import './sign-in.css';

/** Those whom the area is for come first: administrators at the desk, and all others elsewhere. */
const inOrder = (accounts: readonly DemoAccount[]): DemoAccount[] => {
  const isDesk = settings.area === 'desk';
  return accounts.toSorted((one, other) => Number(other.admin === isDesk) - Number(one.admin === isDesk));
};

/** The ways to sign in: the identity provider, or the demo accounts of a development server. */
export function SignInChoice({ purpose }: { purpose?: Purpose }) {
  const failure = useSignal(session.failure);
  const signIn = (accountId?: string) => {
    keepPlace(purpose);
    void session.signIn(accountId);
  };
  return (
    <div class="stack">
      {failure && (
        <p class="note bad" role="alert">
          {failure}
        </p>
      )}
      {settings.demoAccounts ? (
        <>
          <p class="soft">This is a development server. Choose a demo account:</p>
          <ul class="plain accounts">
            {inOrder(settings.demoAccounts).map(({ accountUserId, name, label }) => (
              <li key={accountUserId}>
                <button type="button" class="account" onClick={() => signIn(accountUserId)}>
                  {name} <small>{label}</small>
                </button>
              </li>
            ))}
          </ul>
        </>
      ) : session.canSignIn ? (
        <button type="button" class="primary" onClick={() => signIn()}>
          Sign in
        </button>
      ) : (
        !failure && <p class="note warn">Signing in is not set up on this server yet.</p>
      )}
    </div>
  );
}

interface SignInDialogProps {
  title?: string;
  purpose?: Purpose;
  onClose: () => void;
}

/** Asks to sign in, above the page. */
export const SignInDialog = ({ title = 'Sign in', purpose, onClose }: SignInDialogProps) => (
  <Dialog title={title} onClose={onClose}>
    <div class="stack">
      <SignInChoice {...(purpose && { purpose })} />
      <div class="row end">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </div>
  </Dialog>
);

/** Shows its content to those who are signed in, and the ways to sign in to others. */
export function SignedIn({ reason, children }: { reason: string; children: ComponentChildren }) {
  const state = useSignal(session.state);
  if (state.kind !== 'signed-out') return <>{children}</>;
  return (
    <section class="card sign-in">
      <h1>Sign in</h1>
      <p>{reason}</p>
      <SignInChoice />
    </section>
  );
}
