import type { Json } from '../../support/actors.js';
import type { Service } from '../../support/service.js';

export type IssuedKey = Json & { key: string; maskedKey: string };

/** A key made with another credential, under a name of its own. */
export const aKeyBy = (service: Service, bearer: string, name = 'A key', scopes = ['APP_READ']) =>
  service.client.must<IssuedKey>('createApiKey', { name, scopes }, bearer);

/** A key that is rotated at once, by the bearer. */
export const rotatedBy = (service: Service, id: string, bearer: string) =>
  service.client.must<IssuedKey>('rotateApiKey', { id }, bearer);

/** The names of the keys that still work. */
export async function working(service: Service, keys: readonly IssuedKey[]): Promise<string[]> {
  const outcomes = await Promise.all(
    keys.map(async ({ id, key }) => ({ id, ...(await service.client.call('rest', 'me', {}, key)) })),
  );
  return outcomes.filter(({ code }) => code === null).map(({ id }) => id);
}
