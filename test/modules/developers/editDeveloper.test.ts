import { describe, expect, it } from '@jest/globals';
import { type Json, unique } from '../../support/actors.js';
import { linesOf } from '../../support/audit.js';
import { beforeTests } from '../../support/before-tests.js';
import { notificationsOf } from '../../support/notifications.js';
import { expectError } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

const service = beforeTests(sharedService);

const reason = 'They are one company.';

describe('editDeveloper', () => {
  it('gives a name that looks like another one with editDeveloper, audited and mailed (D325)', async () => {
    const name = unique('Lighthouse');
    await service.aDeveloper({ name });
    const eve = await service.aDeveloper({ name: unique('Eve') });
    const [line] = await linesOf(service, async () => {
      const edited = await service.administer('editDeveloper', { id: eve.id, name, reason });
      expect(edited).toMatchObject({ name });
    });
    expect(line).toMatchObject({
      kind: 'developer.edited',
      actor_kind: 'administrator',
      developer_id: eve.id,
      after: { name },
      data: { reason },
    });
    expect((await notificationsOf(service, eve.id)).at(-1)).toMatchObject({ kind: 'developer.edited' });
  });

  it('cannot give a reserved one, and nothing changes without a change (D325)', async () => {
    const { id } = await service.aDeveloper({ name: unique('Eve') });
    const outcome = await service.callAsAdmin('editDeveloper', { id, name: 'Support', reason });
    expectError(outcome, 'VALIDATION_FAILED', ['name: reserved']);
    expect(
      await linesOf(service, () => service.administer('editDeveloper', { id, bio: null, reason })),
    ).toEqual([]);
  });

  it('sees who looks like a developer, verified ones first, and nobody else sees it (D325)', async () => {
    const name = unique('Lighthouse');
    const unverified = await service.anUnverifiedDeveloper({ name });
    const verified = await service.aDeveloper({ name: unique('Lou'), companyName: `${name}™` });
    const eve = await service.anUnverifiedDeveloper({ name: name.replace('o', 'о') });
    await service.aDeveloper({ name: unique('Lighthouse') });
    const query = 'query ($id: ID!) { developer(id: $id) { lookalikes { id } } }';
    const seen = await service.client.queryData<{ developer: { lookalikes: Json[] } }>(
      query,
      { id: eve.id },
      await service.admin(),
    );
    expect(seen.developer.lookalikes.map(({ id }) => id)).toEqual([verified.id, unverified.id]);
    expect(await service.client.queryData('{ me { lookalikes { id } } }', {}, eve.token)).toEqual({
      me: { lookalikes: null },
    });
  });

  it('clears optional fields, and leaves out what is not sent (D325)', async () => {
    const profile = { companyName: unique('Lou & Co'), websiteUrl: 'https://lou.example', bio: 'Hello' };
    const { id, email } = await service.aDeveloper({ name: unique('Lou'), ...profile });
    const input = { id, companyName: null, bio: null, reason };
    expect(await service.administer('editDeveloper', input)).toMatchObject({
      companyName: null,
      websiteUrl: profile.websiteUrl,
      bio: null,
      email,
    });
  });

  it('needs a reason, and has no address to change (D325)', async () => {
    const { id } = await service.aDeveloper();
    const admin = await service.admin();
    const edit = (input: object) => service.callAsAdmin('editDeveloper', { id, ...input });
    expectError(await edit({ bio: 'New', reason: ' ' }), 'VALIDATION_FAILED', ['reason: too_short']);
    const { errors } = await service.client.graphql(
      `mutation { editDeveloper(id: "${id}", input: { email: "x@example.com" }, reason: "x") { id } }`,
      {},
      admin,
    );
    expect(errors?.[0]?.extensions.code).toBe('VALIDATION_FAILED');
  });
});
