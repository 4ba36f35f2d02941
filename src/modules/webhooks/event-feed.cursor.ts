/** A place in the feed, in a form that nobody should look into. */
export const cursorAt = (position: string) => Buffer.from(`event ${position}`).toString('base64url');

/** Reads a cursor back; null where it is not one of ours. */
export function readPosition(cursor: string): string | null {
  const position = /^event (\d{1,18})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  return position !== undefined && cursorAt(position) === cursor ? position : null;
}
