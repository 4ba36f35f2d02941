import type { Service } from '../../support/service.js';

/** An event that is mailed: the calls that cause it, and the content of the mail. */
export interface Story {
  /** Makes it happen, and returns the address that gets the mail. */
  happens(service: Service): Promise<string>;
  subject: string | Promise<string>;
  /** Words in the text and in the HTML. */
  says: string[];
}

export const ada = (service: Service) => service.aDeveloper({ name: 'Ada Lovelace' });
export const theApp = { name: 'Zähler ✓ 数' };
