import type { Developer, Json } from '../../support/actors.js';
import type { Api, Input } from '../../support/api-client.js';
import type { Service } from '../../support/service.js';

export type IssuedKey = Json & { key: string; maskedKey: string; scopes: string[]; expiresAt: string };

export const dayMs = 24 * 60 * 60 * 1000;

/** Creates a key with these fields; the others have defaults. */
export const creatingKeys = (service: Service) => (api: Api, input: Input, bearer: string | null) =>
  service.client.call<IssuedKey>(
    api,
    'createApiKey',
    { name: 'Build server', scopes: ['APP_READ'], ...input },
    bearer,
  );

export const keysOf = (service: Service, { id }: Developer) =>
  service.sql('select from api_keys where developer_id = $1', [id]);

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
