import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Problem, problemsBeside } from '../client/problems.ts';
import { session } from '../client/session.ts';
import { useSignal } from '../client/signal.ts';
import { announce } from '../components/announcements.tsx';
import { SignInChoice } from '../components/sign-in.tsx';
import { Problems } from '../components/status.tsx';

interface ReportFormProps {
  /** The name of the dialog and of its draft, to which signing in returns. */
  name: string;
  /** The fields that show their own problems. */
  fields: readonly string[];
  /** Tells the user which step is missing; null if the report can be sent. */
  missing: string | null;
  isSending: boolean;
  send: () => Promise<{ data?: unknown; problems: readonly Problem[] }>;
  clearDraft: () => void;
  onClose: () => void;
  children: (problems: readonly Problem[]) => ComponentChildren;
}

/** A form that reports something to the administrators. One can write first and sign in later. */
export function ReportForm({
  name,
  fields,
  missing,
  isSending,
  send,
  clearDraft,
  onClose,
  children,
}: ReportFormProps) {
  const isSignedOut = useSignal(session.state).kind === 'signed-out';
  const [wantsToSignIn, setWantsToSignIn] = useState(false);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const isSigningIn = wantsToSignIn && isSignedOut;
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isSignedOut) return setWantsToSignIn(true);
    const outcome = await send();
    setProblems(outcome.problems);
    if (!outcome.data) return;
    clearDraft();
    announce('Thank you. The administrators will look at it.');
    onClose();
  };
  return (
    <form onSubmit={submit}>
      {children(problems)}
      <Problems problems={problemsBeside(problems, fields)} />
      {isSigningIn && (
        <section class="stack" aria-label="Sign in">
          <p class="note">Sign in to send the report. Your text is kept.</p>
          <SignInChoice purpose={{ open: name, draft: name }} />
        </section>
      )}
      <div class="row end">
        {missing && !isSigningIn && <small>{missing}</small>}
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        {!isSigningIn && (
          <button type="submit" class="primary" disabled={isSending || missing !== null}>
            {isSignedOut ? 'Sign in to report' : 'Report'}
          </button>
        )}
      </div>
    </form>
  );
}
