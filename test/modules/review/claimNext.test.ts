import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Administrator, AppJson, Json } from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import { linesOf } from '../../support/audit.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

type Item = Json & { app: AppJson; version: Json | null; claim: { by: string; until: string } };

describe('claimNext over graphql', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());
  const mia = beforeTests(() => service.anAdministrator());
  const noa = beforeTests(() => service.anAdministrator());
  beforeEach(() => service.sql('delete from submissions where ended_at is null'));

  const claimNext = (who: Administrator, filter: Input = {}) =>
    service.client.call<Item | null>('graphql', 'claimNext', filter, who.token);
  const nextOf = async (who: Administrator, filter: Input = {}) => {
    const data = expectSuccess(await claimNext(who, filter));
    return data && (data.version?.id ?? data.app.id);
  };

  it('claims the submission that has waited longest, and returns it whole (D156)', async () => {
    const first = await service.anApp(ada, 'PENDING');
    await service.anApp(ada, 'PENDING');
    const lines = await linesOf(service, async () => {
      const { data } = await claimNext(mia);
      expect(data).toMatchObject({ app: first, version: null, claim: { by: mia.accountUserId } });
    });
    expect(lines).toMatchObject([
      { kind: 'review.claimed', actor_account: mia.accountUserId, app_id: first.id },
    ]);
  });

  it('gives each administrator another one, apps and versions in one order, and null when none is left (D156)', async () => {
    const { version } = await service.aVersion(ada, 'PENDING');
    const app = await service.anApp(ada, 'PENDING');
    expect(await nextOf(mia)).toBe(version.id);
    expect(await nextOf(noa)).toBe(app.id);
    expect(await nextOf(mia)).toBeNull();
  });

  it('does not return what the caller holds already, and does not release it (D156)', async () => {
    const first = await service.anApp(ada, 'PENDING');
    const second = await service.anApp(ada, 'PENDING');
    expect(await nextOf(mia)).toBe(first.id);
    expect(await nextOf(mia)).toBe(second.id);
    expect(await nextOf(mia)).toBeNull();
    const held = await service.sql('select from submissions where claimed_by = $1 and ended_at is null', [
      mia.accountUserId,
    ]);
    expect(held).toHaveLength(2);
  });

  it('returns one whose claim has expired', async () => {
    const { id } = await service.anApp(ada, 'PENDING');
    await nextOf(mia);
    await service.sql('update submissions set claimed_until = now() where app_id = $1', [id]);
    expect(await nextOf(noa)).toBe(id);
  });

  it('skips the caller’s own submissions (D104, D156)', async () => {
    const grace = await service.aDeveloper();
    const own = await service.anApp(grace, 'PENDING');
    const other = await service.anApp(ada, 'PENDING');
    const reviewer = { ...grace, token: await service.asAdministrator(grace) };
    expect(await nextOf(reviewer)).toBe(other.id);
    expect(await nextOf(reviewer)).toBeNull();
    expect(await nextOf(mia)).toBe(own.id);
  });

  it('skips the submissions of a suspended developer (D119)', async () => {
    const grace = await service.aDeveloper();
    await service.anApp(grace, 'PENDING');
    await service.administer('suspendDeveloper', { id: grace.id, reason: 'Spam.' });
    expect(await nextOf(mia)).toBeNull();
  });

  it.each([
    [{ category: 'FINANCE' }, 'finance'],
    [{ environment: 'staging' }, 'staging'],
    [{ versions: true }, 'version'],
    [{ overdue: true }, 'late'],
    [{ unclaimed: true }, 'plain'],
    [{ category: 'EDUCATION' }, null],
    [{ mine: true }, null],
  ])('applies the filter of the queue: %j (D156)', async (filter, expected) => {
    const listings = {
      plain: {},
      finance: { category: 'FINANCE' },
      staging: { environment: 'staging' },
      late: {},
    };
    const ids: Record<string, string> = {};
    for (const [name, listing] of Object.entries(listings))
      ids[name] = (await service.anApp(ada, 'PENDING', listing)).id;
    ids.version = (await service.aVersion(ada, 'PENDING')).version.id;
    await service.sql("update submissions set due_at = now() - interval '1 second' where app_id = $1", [
      ids.late,
    ]);
    expect(await nextOf(mia, filter)).toBe(expected && ids[expected]);
  });

  describe('after a decision in the same document', () => {
    const document = `mutation ($id: ID!, $revision: Int!) {
      approveApp(id: $id, revision: $revision) { status }
      claimNext { app { id name timeline(last: 1) { edges { node { kind } } } } claim { by } }
    }`;

    it('returns the next submission (D156)', async () => {
      const { id, revision } = await service.anApp(ada, 'PENDING');
      const next = await service.anApp(ada, 'PENDING');
      await nextOf(mia);
      expect(await service.client.queryData(document, { id, revision }, mia.token)).toEqual({
        approveApp: { status: 'APPROVED' },
        claimNext: {
          app: {
            id: next.id,
            name: next.name,
            timeline: { edges: [{ node: { kind: 'review.claimed' } }] },
          },
          claim: { by: mia.accountUserId },
        },
      });
    });

    it('claims nothing if the decision fails (D156)', async () => {
      const { id } = await service.anApp(ada, 'PENDING');
      const { data, errors } = await service.client.graphql(document, { id, revision: 9 }, mia.token);
      expect(data).toBeNull();
      expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['REVISION_CONFLICT']);
      expect(
        await service.sql('select from submissions where claimed_by is not null and ended_at is null'),
      ).toEqual([]);
    });
  });

  it('waits for an edit of the app that is first, instead of skipping it (D156)', async () => {
    const { id } = await service.anApp(ada, 'PENDING');
    await service.anApp(ada, 'PENDING');
    const [next] = await Promise.all([
      nextOf(mia),
      service.client.must('updateApp', { id, name: 'Changed meanwhile' }, ada.token),
    ]);
    expect(next).toBe(id);
  });
});
