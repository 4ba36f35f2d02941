import { Initial } from './0001-initial.js';

/** Every migration, oldest first. A released one is never edited. */
export const migrations = [{ name: '0001-initial', class: Initial }];
