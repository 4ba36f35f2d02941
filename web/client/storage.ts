/** Values that the browser did not store. They last as long as the page. */
const memory = new Map<string, string>();

type StorageName = 'localStorage' | 'sessionStorage';

/** Returns a stored text; null if there is none. */
export function readStored(storage: StorageName, key: string): string | null {
  const kept = memory.get(storage + key);
  if (kept !== undefined) return kept;
  try {
    return window[storage].getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text, or removes it if it is null. A storage that is full or blocked must not stop anybody. */
export function writeStored(storage: StorageName, key: string, text: string | null): void {
  memory.delete(storage + key);
  try {
    if (text === null) window[storage].removeItem(key);
    else window[storage].setItem(key, text);
  } catch {
    if (text !== null) memory.set(storage + key, text);
  }
}
