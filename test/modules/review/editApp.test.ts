import { describe, expect, it } from '@jest/globals';
import type { AppJson } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { aTime } from '../../support/matchers.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

const reason = 'The developer asked for it.';

describe('editApp over graphql', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());

  const edit = async (id: string, input: Record<string, unknown>) =>
    service.callAsAdmin<AppJson>('editApp', { id, ...input });

  it('changes the fields that are sent of a public app, raises its revision, and shows it at once (D26)', async () => {
    const app = await service.anApp(ada, 'APPROVED', { logoUrl: 'https://pictures.example/logo.png' });
    const changes = { name: ' New name ', websiteUrl: 'https://new.example', logoUrl: null };
    expect(expectSuccess(await edit(app.id, { ...changes, reason }))).toEqual({
      ...app,
      ...changes,
      name: 'New name',
      revision: 2,
      updatedAt: aTime,
    });
    const { data } = await service.client.call('rest', 'app', { slug: app.slug });
    expect(data).toMatchObject({ slug: app.slug, name: 'New name', websiteUrl: 'https://new.example' });
  });

  it('replaces the screenshots whole, in their order (D20, D22)', async () => {
    const { id } = await service.anApp(ada, 'APPROVED');
    const screenshots = [
      { url: 'https://pictures.example/b.png', order: 5 },
      { url: 'https://pictures.example/a.png', caption: 'A', order: 1 },
    ];
    expect((await edit(id, { screenshots, reason })).data).toMatchObject({
      revision: 2,
      screenshots: [
        { url: 'https://pictures.example/a.png', caption: 'A', order: 1 },
        { url: 'https://pictures.example/b.png', caption: null, order: 5 },
      ],
    });
  });

  it('leaves the revision and the time when nothing changes (D19)', async () => {
    const app = await service.anApp(ada, 'APPROVED');
    expect(expectSuccess(await edit(app.id, { name: app.name, reason }))).toEqual(app);
  });

  it('keeps what a submission requires: two screenshots (D22)', async () => {
    const app = await service.anApp(ada, 'APPROVED');
    expectError(await edit(app.id, { screenshots: null, reason }), 'VALIDATION_FAILED', [
      'screenshots: too_few',
    ]);
    expect(await service.client.must('myApp', { id: app.id }, ada.token)).toEqual(app);
  });
});
