import { readStored, writeStored } from '../client/storage.ts';

const ID = 'installation-id';
const INSTALLED = 'installed-apps';

/** Returns the id by which the service counts this browser once for each app. It names nobody. */
export function installationId(): string {
  const known = readStored('localStorage', ID);
  if (known) return known;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const id = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  writeStored('localStorage', ID, id);
  return id;
}

const installed = (): string[] => readStored('localStorage', INSTALLED)?.split(' ') ?? [];

export const isInstalled = (slug: string): boolean => installed().includes(slug);

/** Notes that this browser has installed an app. */
export function noteInstall(slug: string): void {
  if (!isInstalled(slug)) writeStored('localStorage', INSTALLED, [...installed(), slug].join(' '));
}
