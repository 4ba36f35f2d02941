import { describe, expect, it } from '@jest/globals';
import type { AppJson } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { aTime } from '../../support/matchers.js';
import { expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

describe('featureApp over graphql', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());

  const feature = async (id: string, featured: unknown = true) =>
    service.callAsAdmin<AppJson>('featureApp', { id, featured });

  it('adds a public app to the featured list, and removes it again (D17)', async () => {
    const app = await service.anApp(ada, 'APPROVED');
    expect(expectSuccess(await feature(app.id))).toEqual({ ...app, featured: true, updatedAt: aTime });
    expect(await featuredSlugs()).toContain(app.slug);

    expect((await feature(app.id, false)).data).toEqual({ ...app, updatedAt: aTime });
    expect(await featuredSlugs()).not.toContain(app.slug);
  });

  it('returns the same record when nothing changes, with the same updatedAt (D40)', async () => {
    const { id } = await service.anApp(ada, 'APPROVED');
    const { data } = await feature(id);
    expect(expectSuccess(await feature(id))).toEqual(data);
  });

  it('does not raise the revision: the listing is the same (D19)', async () => {
    const { id } = await service.anApp(ada, 'APPROVED');
    expect((await feature(id)).data.revision).toBe(1);
  });

  const featuredSlugs = async () =>
    (await service.client.must<{ slug: string }[]>('featuredApps', { limit: 100 })).map(({ slug }) => slug);
});
