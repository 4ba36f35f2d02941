import type { Response } from 'express';
import type { Caller } from '../auth/caller.js';

const noticeMs = 14 * 24 * 60 * 60 * 1000;

/** Tells whoever uses a key that it ends soon, where a program can see it. */
export function tellKeyExpiry(res: Response | undefined, caller: Caller): void {
  if (caller.kind !== 'key' || res?.headersSent) return;
  if (caller.expiresAt.getTime() - Date.now() < noticeMs)
    res?.set('x-api-key-expires', caller.expiresAt.toISOString());
}
