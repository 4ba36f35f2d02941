/**
 * Domain of the addresses of developers who lost theirs to an account that has proven it. `.invalid` never exists (RFC
 * 2606), so that a mail that is sent there by mistake reaches nobody.
 */
const domain = '@address-lost.invalid';

/** Returns a new address that nobody has. It is random, so that nobody can take it first. */
export const lostAddress = (): string => `${crypto.randomUUID()}${domain}`;

/** Returns true for the address of a developer who has none. No mail is sent to it. */
export const isLostAddress = (email: string): boolean => email.toLowerCase().endsWith(domain);

const isSame = (one: string, other: string | null): boolean => one.toLowerCase() === other?.toLowerCase();

/**
 * Returns the address that counts as proven after a change of the e-mail address (D327). A proof belongs to the account:
 * it ends when the account itself moves to another address, and a key neither gives nor takes it.
 */
export function provenAddressAfter(
  { email, provenEmail }: { email: string; provenEmail: string | null },
  next: string,
  { isProven, isByAccount }: { isProven: boolean; isByAccount: boolean },
): string | null {
  if (isProven) return next;
  const isGivenUp = isByAccount && !isSame(next, email) && !isSame(next, provenEmail);
  return isGivenUp ? null : provenEmail;
}
