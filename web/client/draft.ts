import { useCallback } from 'preact/hooks';
import { session } from './session.ts';
import { Signal, useSignal } from './signal.ts';
import { readStored, writeStored } from './storage.ts';

const PREFIX = 'draft:';

/** Text of an account that is not sent yet. It survives a reload, an expired session and a closed tab. */
const keyOf = (name: string) => {
  const state = session.state.value;
  return keyFor(state.kind === 'signed-out' ? '' : state.account.id, name);
};

const keyFor = (accountId: string, name: string) => `${PREFIX}${accountId}:${name}`;

/** The drafts that this page has read, by their keys. */
const drafts = new Map<string, Signal<unknown>>();

function draftAt(key: string): Signal<unknown> {
  const known = drafts.get(key);
  if (known) return known;
  const draft = new Signal(parse(readStored('localStorage', key)));
  drafts.set(key, draft);
  // Shows what another tab writes, so that this tab does not overwrite it.
  addEventListener('storage', (event) => {
    if (event.key === key) draft.value = parse(event.newValue);
  });
  return draft;
}

function parse(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Keeps a draft, or removes it if the value is undefined. */
function keep(key: string, value: unknown): void {
  writeStored('localStorage', key, value === undefined ? null : JSON.stringify(value));
  draftAt(key).value = value;
}

/** Returns a draft of the account that is signed in, if there is one. */
export const draftOf = <T>(name: string): T | undefined => draftAt(keyOf(name)).value as T | undefined;

/** Gives a draft that was written without an account to the account that is signed in. */
export function adoptDraft(name: string): void {
  const value = draftAt(keyFor('', name)).value;
  if (value === undefined) return;
  keep(keyOf(name), value);
  forgetAt(keyFor('', name));
}

/** Removes a draft of the account that is signed in. */
export const forgetDraft = (name: string): void => forgetAt(keyOf(name));

const forgetAt = (key: string) => keep(key, undefined);

/**
 * Returns a value that is kept until it is cleared, a function to change it, and one to clear it. `initial` is the value
 * without a draft. Clearing with the value that was sent keeps what was written since.
 */
export function useDraft<T>(
  name: string,
  initial: T,
): [value: T, change: (value: T) => void, clear: (sent?: T) => void, isDraft: boolean] {
  const key = keyOf(name);
  const draft = draftAt(key);
  useSignal(draft);
  const change = useCallback((next: T) => keep(key, next), [key]);
  const clear = useCallback(
    (sent?: T) => {
      if (sent === undefined || isSame(draftAt(key).value, sent)) forgetAt(key);
    },
    [key],
  );
  return [(draft.value as T | undefined) ?? initial, change, clear, draft.value !== undefined];
}

/** The form of something that is saved. */
export interface FormDraft<T> {
  readonly values: T;
  /** The fields that differ from what is saved. */
  readonly changed: Partial<T>;
  readonly isChanged: boolean;
  readonly change: (part: Partial<T>) => void;
  /** Discards the changes. With the values that were sent, it keeps the fields that were changed since. */
  readonly clear: (sent?: T) => void;
}

/** Keeps only the fields that were changed: the others follow what is saved meanwhile. */
export function useFormDraft<T extends object>(name: string, saved: T): FormDraft<T> {
  const key = keyOf(name);
  const [draft] = useDraft<Partial<T>>(name, {});
  const values = { ...saved, ...draft };
  const changed = differences(values, saved);
  const keepChanges = (changes: Partial<T>) => keep(key, isEmpty(changes) ? undefined : changes);
  return {
    values,
    changed,
    isChanged: !isEmpty(changed),
    change: (part) => keepChanges(differences({ ...values, ...part }, saved)),
    clear: (sent) => {
      const latest = { ...saved, ...(draftAt(key).value as Partial<T> | undefined) };
      keepChanges(sent ? differences(latest, sent) : {});
    },
  };
}

/** Returns the fields of an object that differ from another object. */
const differences = <T extends object>(values: T, from: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(values).filter(([field, value]) => !isSame(value, from[field as keyof T])),
  ) as Partial<T>;

/** Returns the fields of an input that were changed. */
export const onlyChanged = <T extends object>(input: T, changed: object): Partial<T> =>
  Object.fromEntries(Object.entries(input).filter(([field]) => field in changed)) as Partial<T>;

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
const isEmpty = (object: object) => Object.keys(object).length === 0;
