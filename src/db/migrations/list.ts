import { Initial } from './0001-initial.js';
import { Audit } from './0002-audit.js';
import { KeyExpiry } from './0003-key-expiry.js';

/** Every migration, oldest first. A released one is never edited. */
export const migrations = [
  { name: '0001-initial', class: Initial },
  { name: '0002-audit', class: Audit },
  { name: '0003-key-expiry', class: KeyExpiry },
];
