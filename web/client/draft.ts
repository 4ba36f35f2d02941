import { useCallback, useEffect, useState } from 'preact/hooks';
import { session } from './session.ts';

const PREFIX = 'draft:';

/** Text of an account that is not sent yet. It survives a reload, an expired session and a closed tab. */
const keyOf = (name: string) => {
  const state = session.state.value;
  return keyFor(state.kind === 'signed-out' ? '' : state.account.id, name);
};

const keyFor = (accountId: string, name: string) => `${PREFIX}${accountId}:${name}`;

function stored<T>(key: string): T | undefined {
  try {
    const text = localStorage.getItem(key);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function store(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A full storage must not stop anybody from writing.
  }
}

/** Returns a draft of the account that is signed in, if there is one. */
export const draftOf = <T>(name: string): T | undefined => stored<T>(keyOf(name));

/** Gives a draft that was written without an account to the account that is signed in. */
export function adoptDraft(name: string): void {
  const text = localStorage.getItem(keyFor('', name));
  if (text === null) return;
  localStorage.setItem(keyOf(name), text);
  localStorage.removeItem(keyFor('', name));
}

/** Removes a draft of the account that is signed in. */
export function forgetDraft(name: string): void {
  localStorage.removeItem(keyOf(name));
}

/**
 * Returns a value that is kept until it is cleared, a function to change it, and one to clear it. `initial` is the value
 * without a draft.
 */
export function useDraft<T>(
  name: string,
  initial: T,
): [value: T, change: (value: T) => void, clear: () => void, isDraft: boolean] {
  const key = keyOf(name);
  const [draft, setDraft] = useState<{ key: string; value: T | undefined }>(() => ({
    key,
    value: stored<T>(key),
  }));
  useEffect(() => {
    if (draft.key !== key) setDraft({ key, value: stored<T>(key) });
  }, [draft.key, key]);
  const value = draft.key === key ? draft.value : stored<T>(key);
  const change = useCallback(
    (next: T) => {
      store(key, next);
      setDraft({ key, value: next });
    },
    [key],
  );
  const clear = useCallback(() => {
    localStorage.removeItem(key);
    setDraft({ key, value: undefined });
  }, [key]);
  return [value ?? initial, change, clear, value !== undefined];
}
