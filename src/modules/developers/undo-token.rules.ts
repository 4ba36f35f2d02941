import { createHash, randomBytes } from 'node:crypto';

const tokenBytes = 32;

/** Creates the token of a link that undoes a change. Only its hash is stored, so nobody can make one. */
export function newUndoToken(): { token: string; hash: Buffer } {
  const token = randomBytes(tokenBytes).toString('base64url');
  return { token, hash: hashUndoToken(token) };
}

export const hashUndoToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Returns whether a text has the form of a token. */
export const isUndoToken = (value: string): boolean => /^[\w-]{43}$/.test(value);

/** Returns the page on which the change is undone. */
export const undoUrl = (publicUrl: string, token: string): string =>
  `${publicUrl.replace(/\/+$/, '')}/undo?token=${token}`;
