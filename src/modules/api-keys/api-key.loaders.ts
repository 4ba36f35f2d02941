import type { LoaderSource } from '../../operations/context.js';
import { pagesByOwner, rowsById } from '../../operations/loaders.js';
import type { OwnedList } from '../../operations/owned-pages.js';
import { ApiKey } from './api-key.entity.js';

const keysOfDeveloper: OwnedList<ApiKey> = {
  entity: ApiKey,
  table: 'api_keys',
  ownerColumn: 'developer_id',
  ownerOf: ({ developer }) => developer.id,
  newestFirst: true,
};

export function apiKeyLoaders({ fork }: LoaderSource) {
  return {
    apiKey: rowsById(async (ids) => fork().find(ApiKey, { id: [...ids] })),
    apiKeys: pagesByOwner(fork, keysOfDeveloper, (key) => key),
  };
}
