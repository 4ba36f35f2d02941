import { describe, expect, it } from '@jest/globals';
import { type Json, unique } from '../support/actors.js';
import type { GraphQLBody, Input } from '../support/api-client.js';
import { linesOf } from '../support/audit.js';
import { duringTests } from '../support/before-tests.js';
import { notificationsOf } from '../support/notifications.js';
import { expectError, expectSuccess } from '../support/outcomes.js';
import { secondGateway, startService } from '../support/service.js';

type Profile = Json & { id: string; name: string; updatedAt: string; status: string };

const service = duringTests(startService);

const read = (id: string) => service.administer<Profile>('developer', { id });
const verify = (input: Input) => service.callAsAdmin<Profile>('verifyDeveloper', input);

describe('a developer who changes the profile while it waits for verification', () => {
  it.each([
    ['the name', () => ({ name: unique('Somebody Famous') })],
    ['the company', () => ({ companyName: unique('Famous Ltd') })],
    ['the address', () => ({ email: `${unique('famous')}@example.com` })],
    ['the website', () => ({ websiteUrl: 'https://famous.example' })],
  ])('is not verified unseen: %s (D343)', async (_, change) => {
    const eve = await service.anUnverifiedDeveloper({ name: unique('Eve') });
    const seen = await read(eve.id);
    await service.must('updateMe', change(), eve.token);
    const lines = await linesOf(service, async () =>
      expectError(await verify({ id: eve.id, updatedAt: seen.updatedAt }), 'REVISION_CONFLICT'),
    );
    expect(lines.filter(({ developer_id }) => developer_id === eve.id)).toEqual([]);
    expect(await read(eve.id)).toMatchObject({ status: 'UNVERIFIED', verifiedAt: null });
    expect(await notificationsOf(service, eve.id)).not.toContainEqual(
      expect.objectContaining({ kind: 'developer.verified' }),
    );
    const { updatedAt } = await read(eve.id);
    const [line] = (
      await linesOf(service, async () => expectSuccess(await verify({ id: eve.id, updatedAt })))
    ).filter(({ developer_id }) => developer_id === eve.id);
    expect(line).toMatchObject({
      kind: 'developer.verified',
      before: { status: 'UNVERIFIED' },
      after: { status: 'VERIFIED' },
    });
  });

  it('is told to the administrator with the time of the present profile (D343)', async () => {
    const eve = await service.anUnverifiedDeveloper({ name: unique('Eve') });
    const seen = await read(eve.id);
    await service.must('updateMe', { name: unique('Famous') }, eve.token);
    const { text = '' } = await verify({ id: eve.id, updatedAt: seen.updatedAt });
    const [error] = (JSON.parse(text) as GraphQLBody).errors!;
    expect(error!.message).toContain('Read it again');
    expect(error!.extensions).toMatchObject({ updatedAt: (await read(eve.id)).updatedAt });
  });

  it('is verified with what was sent back unchanged, and by a client that does not say what it saw (D343)', async () => {
    const eve = await service.anUnverifiedDeveloper({ name: unique('Eve') });
    const { name, updatedAt } = await read(eve.id);
    await service.must('updateMe', { name }, eve.token);
    expectSuccess(await verify({ id: eve.id, updatedAt }));
    const mallory = await service.anUnverifiedDeveloper({ name: unique('Mallory') });
    await service.must('updateMe', { name: unique('Famous') }, mallory.token);
    expectSuccess(await verify({ id: mallory.id }));
  });

  it('stays verified when the click is repeated (D16, D343)', async () => {
    const eve = await service.anUnverifiedDeveloper({ name: unique('Eve') });
    const { updatedAt } = await read(eve.id);
    const first = await verify({ id: eve.id, updatedAt });
    expect(expectSuccess(await verify({ id: eve.id, updatedAt }))).toEqual(first.data);
  });

  it('is verified with the name that was seen, or not at all, when both act at once on two gateways (D343)', async () => {
    await using other = await secondGateway(service);
    for (let round = 0; round < 10; round += 1) {
      const eve = await service.anUnverifiedDeveloper({ name: unique('Eve') });
      const seen = await read(eve.id);
      const [outcome] = await Promise.all([
        other.call<Profile>(
          'verifyDeveloper',
          { id: eve.id, updatedAt: seen.updatedAt },
          await other.admin(),
        ),
        service.call('updateMe', { name: unique('Famous') }, eve.token),
      ]);
      if (outcome.code === null) expect(outcome.data.name).toBe(seen.name);
      else expectError(outcome, 'REVISION_CONFLICT');
    }
  });
});
