/**
 * Domain of the addresses of developers who lost theirs to an account that has proven it. `.invalid` never exists (RFC
 * 2606), so that a mail that is sent there by mistake reaches nobody.
 */
const domain = '@address-lost.invalid';

/** Returns a new address that nobody has. It is random, so that nobody can take it first. */
export const lostAddress = (): string => `${crypto.randomUUID()}${domain}`;

/** Returns true for the address of a developer who has none. No mail is sent to it. */
export const isLostAddress = (email: string): boolean => email.toLowerCase().endsWith(domain);
