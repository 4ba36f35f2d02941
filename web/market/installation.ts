const ID = 'installation-id';
const INSTALLED = 'installed-apps';

/** Used where the browser allows no storage: then the id lasts as long as the page. */
const memory = new Map<string, string>();

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return memory.get(key) ?? null;
  }
}

function write(key: string, value: string): void {
  memory.set(key, value);
  try {
    localStorage.setItem(key, value);
  } catch {
    // The memory has it.
  }
}

/** Returns the id by which the service counts this browser once for each app. It names nobody. */
export function installationId(): string {
  const known = read(ID);
  if (known) return known;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const id = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  write(ID, id);
  return id;
}

const installed = (): string[] => read(INSTALLED)?.split(' ') ?? [];

export const isInstalled = (slug: string): boolean => installed().includes(slug);

/** Notes that this browser has installed an app. */
export function noteInstall(slug: string): void {
  if (!isInstalled(slug)) write(INSTALLED, [...installed(), slug].join(' '));
}
