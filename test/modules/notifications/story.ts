import type { Developer } from '../../support/actors.js';
import type { Service } from '../../support/service.js';

/** An event that is mailed: the calls that cause it, and the content of the mail. */
export interface Story {
  /** Makes it happen, and returns the address that gets the mail. */
  happens(service: Service): Promise<string>;
  subject: string | Promise<string>;
  /** Words in the text and in the HTML. */
  says: string[];
}

type Act = (service: Service, developer: Developer) => Promise<unknown>;

/** Makes something happen to Ada, who gets the mail. Without an act it is her verification, and her first key. */
export const toAda =
  (act?: Act): Story['happens'] =>
  async (service) => {
    const developer = await service.aDeveloper({ name: 'Ada Lovelace' });
    await act?.(service, developer);
    return developer.email;
  };

export const theApp = { name: 'Zähler ✓ 数' };
