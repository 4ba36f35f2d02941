import type { ComponentChildren } from 'preact';
import { session } from '../client/session.ts';
import { settings } from '../client/settings.ts';
import { useSignal } from '../client/signal.ts';

/** The ways to sign in: the identity provider, or the demo accounts of a development server. */
export function SignInChoice() {
  const failure = useSignal(session.failure);
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
          {settings.demoAccounts.map(({ accountUserId, name, label }) => (
            <button
              type="button"
              class="account"
              key={accountUserId}
              onClick={() => void session.signIn(accountUserId)}
            >
              {name} <small>{label}</small>
            </button>
          ))}
        </>
      ) : session.canSignIn ? (
        <button type="button" class="primary" onClick={() => void session.signIn()}>
          Sign in
        </button>
      ) : (
        !failure && <p class="note warn">Nobody can sign in here: the operator has not set OIDC_CLIENT_ID.</p>
      )}
    </div>
  );
}

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
