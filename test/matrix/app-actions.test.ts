import { describe, expect, it } from '@jest/globals';
import { Scope } from '../../src/auth/scope.js';
import type { OperationName } from '../../src/contract.js';
import {
  allowedActions,
  expectForetold,
  type Foretold,
  foretoldOfReleased,
  setStatus,
  twinOf,
} from '../support/allowed-actions.js';
import { beforeTests } from '../support/before-tests.js';
import { sharedService } from '../support/service.js';
import { words } from '../support/words.js';

const situations = [
  'DRAFT',
  'DRAFT, incomplete',
  'PENDING',
  'REJECTED',
  'APPROVED',
  'APPROVED, open version',
  'APPROVED, rejected version',
  'SUSPENDED',
] as const;
type Situation = (typeof situations)[number];

const [ok, wrong, hidden, live, down] = [
  null,
  'INVALID_TRANSITION',
  'NOT_FOUND',
  'APP_APPROVED',
  'APP_SUSPENDED',
] as const;
/** What each action is answered in each of the situations, in their order (D18, D19, D26, D41, D61). */
const answers: Partial<Record<OperationName, (string | null)[]>> = {
  updateApp: [ok, ok, ok, ok, live, live, live, down],
  deleteApp: [ok, ok, ok, ok, live, live, live, down],
  submitApp: [ok, 'VALIDATION_FAILED', wrong, ok, wrong, wrong, wrong, wrong],
  withdrawApp: [wrong, wrong, ok, wrong, wrong, wrong, wrong, wrong],
  addressReason: [wrong, wrong, wrong, ok, wrong, wrong, ok, wrong],
  messageReviewers: [ok, ok, ok, ok, ok, ok, ok, ok],
  createAppVersion: [wrong, wrong, wrong, wrong, ok, wrong, wrong, down],
  claimReview: [hidden, hidden, ok, hidden, hidden, hidden, hidden, hidden],
  releaseReview: [hidden, hidden, ok, hidden, hidden, hidden, hidden, hidden],
  approveApp: [wrong, wrong, ok, wrong, wrong, wrong, wrong, wrong],
  rejectApp: [wrong, wrong, ok, wrong, wrong, wrong, wrong, wrong],
  suspendApp: [wrong, wrong, wrong, wrong, ok, ok, ok, ok],
  restoreApp: [wrong, wrong, wrong, wrong, ok, ok, ok, ok],
  featureApp: [wrong, wrong, wrong, wrong, ok, ok, ok, wrong],
  editApp: [wrong, wrong, wrong, wrong, ok, ok, ok, ok],
  messageDeveloper: [ok, ok, ok, ok, ok, ok, ok, ok],
};

const claims = ['nobody’s', 'one’s own', 'another’s', 'another’s, expired'] as const;

describe('allowedActions of an app', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());

  const anAppThatIs = async (situation: Situation): Promise<string> => {
    await setStatus(service, ada, 'VERIFIED');
    switch (situation) {
      case 'DRAFT, incomplete':
        return (await service.anApp(ada, 'DRAFT', { screenshots: [] })).id;
      case 'APPROVED, open version':
        return (await service.aVersion(ada)).app.id;
      case 'APPROVED, rejected version':
        return (await service.aVersion(ada, 'REJECTED')).app.id;
      default:
        return (await service.anApp(ada, situation)).id;
    }
  };
  const expectAnswers = (foretold: readonly Foretold[], situation: Situation) => {
    for (const { action, code } of foretold)
      expect([action, code]).toEqual([action, answers[action]?.[situations.indexOf(situation)]]);
  };
  const twins = (id: string) => async () => (await twinOf(service, id)).appId;
  const asOwner = async (id: string, bearer: string) => {
    const query = `query ($id: ID!) { myApp(id: $id) { ${allowedActions} } }`;
    return (await service.client.queryData<{ myApp: { allowedActions: Foretold[] } }>(query, { id }, bearer))
      .myApp.allowedActions;
  };
  /** A call without effect returns the app in any status: that is how administrators read it. */
  const asAdministrator = async (id: string, bearer: string) => {
    const query = `mutation ($id: ID!) { featureApp(id: $id, featured: false) { ${allowedActions} } }`;
    return (
      await service.client.queryData<{ featureApp: { allowedActions: Foretold[] } }>(query, { id }, bearer)
    ).featureApp.allowedActions;
  };

  describe.each([
    ['VERIFIED', situations],
    ['UNVERIFIED', ['DRAFT', 'PENDING', 'REJECTED', 'APPROVED']],
  ] as const)('its owner, %s, signed in', (status, some) => {
    it.each(some)('sees the result of each call in advance: %s (D18, D19, D26)', async (situation) => {
      const subject = await anAppThatIs(situation);
      await setStatus(service, ada, status);
      const foretold = await asOwner(subject, ada.token);
      expect(foretold).toHaveLength(7);
      if (status === 'VERIFIED') expectAnswers(foretold, situation);
      await expectForetold(service, foretold, { bearer: ada.token, subject, another: twins(subject) });
    });
  });

  describe.each([Scope.APP_READ, Scope.APP_CREATE, Scope.APP_UPDATE, Scope.APP_DELETE])(
    'its owner, by a key that reads and holds %s',
    (scope) => {
      it.each(['DRAFT', 'APPROVED'] as const)(
        'sees the result of each call in advance: %s',
        async (situation) => {
          const subject = await anAppThatIs(situation);
          const bearer = await service.aKey(ada, [...new Set([Scope.APP_READ, scope])]);
          const foretold = await asOwner(subject, bearer);
          expect(foretold.some(({ code }) => code === 'INSUFFICIENT_SCOPE')).toBe(true);
          await expectForetold(service, foretold, { bearer, subject, another: twins(subject) });
        },
      );
    },
  );

  describe('an administrator', () => {
    it.each(situations)('sees the result of each call in advance: %s (D18, D41)', async (situation) => {
      const subject = await anAppThatIs(situation);
      const bearer = await service.admin();
      const foretold = await asAdministrator(subject, bearer);
      expect(foretold).toHaveLength(9);
      expectAnswers(foretold, situation);
      await expectForetold(service, foretold, { bearer, subject, another: twins(subject) });
    });

    it.each(claims)('sees the result of each call in advance: a claim that is %s', async (whose) => {
      const me = await service.anAdministrator();
      const holder = whose === 'one’s own' ? me : await service.anAdministrator();
      const subject = await anAppThatIs('PENDING');
      if (whose !== 'nobody’s') await service.must('claimReview', { id: subject }, holder.token);
      if (whose === 'another’s, expired')
        await service.sql('update submissions set claimed_until = now() where app_id = $1', [subject]);
      const foretold = await asAdministrator(subject, me.token);
      const approve = foretold.find(({ action }) => action === 'approveApp');
      expect(approve?.code).toBe(whose === 'another’s' ? 'REVIEW_CLAIMED' : null);
      await expectForetold(service, foretold, { bearer: me.token, subject, another: twins(subject) });
    });

    it.each(['VERIFIED', 'UNVERIFIED', 'SUSPENDED'] as const)(
      'whose own app it is, being %s, sees the result of each call in advance, as owner and as administrator',
      async (status) => {
        const bearer = await service.asAdministrator(ada);
        const subject = await anAppThatIs('PENDING');
        await setStatus(service, ada, status);
        const { app: foretold } = await foretoldOfReleased(service, subject, bearer);
        expect(foretold).toHaveLength(16);
        const forbidden = words('approveApp rejectApp claimReview messageDeveloper editApp featureApp');
        for (const action of [...forbidden, 'restoreApp'])
          expect(foretold).toContainEqual(expect.objectContaining({ action, code: 'FORBIDDEN' }));
        await expectForetold(service, foretold, { bearer, subject, another: twins(subject) });
        await setStatus(service, ada, 'VERIFIED');
      },
    );
  });
});
