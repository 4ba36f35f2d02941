import { unique } from '../../support/actors.js';
import type { Api, Input } from '../../support/api-client.js';
import type { Service } from '../../support/service.js';

/** Registers a new account with these fields; the others have defaults. */
export const registering =
  (service: Service) =>
  async (api: Api, fields: Input = {}, accountUserId = unique('ada')) => {
    const profile = { accountUserId, name: 'Ada', email: `${accountUserId}@example.com`, ...fields };
    const token = await service.token(accountUserId);
    return service.client.call<Record<string, unknown>>(api, 'registerDeveloper', profile, token);
  };
