import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { sharedService } from '../../support/service.js';

describe('trustedPublishers', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());

  it('lists the pipelines of all apps or of one, newest first, for their developer alone (D407)', async () => {
    const apps = [await service.anApp(ada), await service.anApp(ada)];
    const made: Json[] = [];
    for (const { id: appId } of [...apps, apps[0]!])
      made.push(
        await service.client.must(
          'addTrustedPublisher',
          { appId, issuer: 'https://gitlab.com', repository: `acme/n${made.length}`, environment: 'live' },
          ada.token,
        ),
      );
    const listed = async (input: Record<string, unknown>, token = ada.token) =>
      (await service.client.must<Json[]>('trustedPublishers', input, token)).map(({ id }) => id);
    const [one, two, three] = made.map(({ id }) => id);
    expect(await listed({})).toEqual([three, two, one]);
    expect(await listed({ appId: apps[0]!.id })).toEqual([three, one]);
    const eve = await service.aDeveloper();
    expect(await listed({}, eve.token)).toEqual([]);
    expect(await listed({ appId: apps[0]!.id }, eve.token)).toEqual([]);
  });
});
