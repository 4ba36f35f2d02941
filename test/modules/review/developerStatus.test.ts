import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { OperationName } from '../../../src/contract.js';
import { aRejection, type Developer, type Json } from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import { linesOf } from '../../support/audit.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

const reason = 'It must be.';
const kinds = ['an app', 'a version'] as const;
type Kind = (typeof kinds)[number];

/** Something that waits for a decision. */
interface Waiting {
  kind: Kind;
  appId: string;
  id: string;
}

describe('submissions of a developer who is no longer verified', () => {
  let ada: Developer;
  let grace: Developer;
  let admin: string;
  const service = beforeTests(sharedService);
  beforeAll(async () => {
    admin = await service.admin();
    grace = await service.aDeveloper();
  });
  beforeEach(async () => {
    await service.sql('delete from submissions');
    await service.sql("update apps set status = 'DRAFT', submitted_at = null where status = 'PENDING'");
    await service.sql(
      "update app_versions set status = 'DRAFT', submitted_at = null where status = 'PENDING'",
    );
    ada = await service.aDeveloper();
  });

  const submitted = async (kind: Kind, developer: Developer): Promise<Waiting> => {
    if (kind === 'an app') {
      const { id } = await service.anApp(developer, 'PENDING');
      return { kind, appId: id, id };
    }
    const { app, version } = await service.aVersion(developer, 'PENDING');
    return { kind, appId: app.id, id: version.id };
  };
  const act = (name: OperationName, input: Input) => service.callAsAdmin(name, input);
  const must = (name: OperationName, input: Input) => service.administer(name, input);
  const decision = (what: 'approve' | 'reject', { kind, id }: Waiting) =>
    act(`${what}App${kind === 'a version' ? 'Version' : ''}` as OperationName, {
      id,
      ...(what === 'approve' ? { revision: 1 } : aRejection(1)),
    });
  const queue = async () => {
    const { edges, totalCount } = await service.administer<{
      edges: { node: { app: Json; version: Json | null } }[];
      totalCount: number;
    }>('reviewQueue', {});
    expect(totalCount).toBe(edges.length);
    return edges.map(({ node }) => node.version?.id ?? node.app.id);
  };
  /** The allowed actions that an administrator sees for an app, or for its open version. */
  const foretold = async ({ kind, appId }: Waiting, action: string) => {
    const fields = 'allowedActions { action allowed code message }';
    type Subject = { allowedActions: Json[] };
    const { featureApp } = await service.client.queryData<{ featureApp: Subject & { openVersion: Subject } }>(
      `mutation ($id: ID!) { featureApp(id: $id, featured: false) { ${fields} openVersion { ${fields} } } }`,
      { id: appId },
      admin,
    );
    const subject = kind === 'a version' ? featureApp.openVersion : featureApp;
    return subject.allowedActions.find((each) => each.action === action);
  };
  const decisionName = (what: 'approve' | 'reject', { kind }: Waiting) =>
    `${what}App${kind === 'a version' ? 'Version' : ''}`;

  describe.each(kinds)('and waits: %s', (kind) => {
    it('cannot be approved while they are unverified, but rejected; and approved once they are verified again (D118)', async () => {
      const waiting = await submitted(kind, ada);
      await must('unverifyDeveloper', { id: ada.id, reason });
      const lines = await linesOf(service, async () => {
        const refused = await decision('approve', waiting);
        expectError(refused, 'INVALID_TRANSITION');
        expect(refused.message).toContain('verifyDeveloper');
        expect(await foretold(waiting, decisionName('approve', waiting))).toMatchObject({
          allowed: false,
          code: refused.code,
          message: refused.message,
        });
      });
      expect(lines).toEqual([]);
      expect(await foretold(waiting, decisionName('reject', waiting))).toMatchObject({ allowed: true });
      expect(await queue()).toEqual([waiting.id]);
      const another = await submitted('an app', grace);
      expectSuccess(await act('claimReview', { id: waiting.id }));
      await must('verifyDeveloper', { id: ada.id });
      expectSuccess(await decision('approve', waiting));
      expect(await queue()).toEqual([another.id]);
    });

    it('can be rejected while they are unverified (D118)', async () => {
      const waiting = await submitted(kind, ada);
      await must('unverifyDeveloper', { id: ada.id, reason });
      expectSuccess(await decision('reject', waiting));
    });

    it('leave the queue while they are suspended, and come back at their old place (D119)', async () => {
      const first = await submitted('an app', grace);
      const waiting = await submitted(kind, ada);
      const last = await submitted('a version', grace);
      const standing = async ({ kind: what, appId }: Waiting) => {
        const { myApp } = await service.client.queryData<{ myApp: Record<string, never> }>(
          'query ($id: ID!) { myApp(id: $id) { review { position ahead } openVersion { review { position ahead } } } }',
          { id: appId },
          grace.token,
        );
        const subject = what === 'a version' ? myApp.openVersion : myApp;
        return (subject as unknown as { review: { position: number } }).review.position;
      };
      const due = () => service.sql('select id, queued_at, due_at from submissions order by id');
      const before = await due();
      expect(await queue()).toEqual([first.id, waiting.id, last.id]);
      await must('suspendDeveloper', { id: ada.id, reason });
      expect(await queue()).toEqual([first.id, last.id]);
      expect(await must('reviewCounts', {})).toMatchObject({ total: 2, versions: 1 });
      expect([await standing(first), await standing(last)]).toEqual([1, 2]);
      await must('reinstateDeveloper', { id: ada.id });
      expect(await queue()).toEqual([first.id, waiting.id, last.id]);
      expect(await must('reviewCounts', {})).toMatchObject({ total: 3 });
      expect(await standing(last)).toBe(3);
      expect(await due()).toEqual(before);
      expectSuccess(await decision('approve', waiting));
    });

    it('has no place while they are suspended, also for administrators', async () => {
      const { appId, id } = await submitted(kind, ada);
      await must('suspendDeveloper', { id: ada.id, reason });
      const { featureApp } = await service.client.queryData<{ featureApp: Json }>(
        'mutation ($id: ID!) { featureApp(id: $id, featured: false) { id review { position } openVersion { review { position } } } }',
        { id: appId },
        admin,
      );
      expect(featureApp).toMatchObject({ review: null });
      if (id !== appId) expect(featureApp).toMatchObject({ openVersion: { review: null } });
    });

    it('can be neither claimed nor decided while they are suspended, and allowedActions says so (D119)', async () => {
      const waiting = await submitted(kind, ada);
      await must('suspendDeveloper', { id: ada.id, reason });
      for (const [name, outcome] of [
        ['claimReview', await act('claimReview', { id: waiting.id })],
        ['claimReview', await act('claimReview', { id: waiting.id, takeOver: true })],
        [decisionName('approve', waiting), await decision('approve', waiting)],
        [decisionName('reject', waiting), await decision('reject', waiting)],
      ] as const) {
        expectError(outcome, 'INVALID_TRANSITION');
        expect(outcome.message).toContain('reinstateDeveloper');
        const told = await foretold(waiting, name);
        if (name !== 'claimReview') expect(told?.message).toBe(outcome.message);
        expect(told?.code).toBe(outcome.code);
      }
    });

    it('can be released by the administrator who held the claim before the suspension', async () => {
      const waiting = await submitted(kind, ada);
      await act('claimReview', { id: waiting.id });
      await must('suspendDeveloper', { id: ada.id, reason });
      expectSuccess(await act('releaseReview', { id: waiting.id }));
    });
  });
});
