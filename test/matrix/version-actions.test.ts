import { describe, expect, it } from '@jest/globals';
import { Scope } from '../../src/auth/scope.js';
import type { OperationName } from '../../src/contract.js';
import type { Json, VersionStatus } from '../support/actors.js';
import {
  allowedActions,
  expectForetold,
  type Foretold,
  foretoldInQueue,
  setStatus,
  twinOf,
} from '../support/allowed-actions.js';
import { beforeTests } from '../support/before-tests.js';
import { sharedService } from '../support/service.js';

const situations = ['DRAFT', 'DRAFT, incomplete', 'PENDING', 'REJECTED', 'APPROVED', 'DISCARDED'] as const;
const apps = ['APPROVED', 'SUSPENDED'] as const;
const table = situations.flatMap((situation) => apps.map((app) => [situation, app] as const));

const [ok, wrong, hidden, down] = [null, 'INVALID_TRANSITION', 'NOT_FOUND', 'APP_SUSPENDED'] as const;
type Answers = Partial<Record<OperationName, (string | null)[]>>;
/** What each action is answered in each of the situations, in their order (D18, D26). */
const answers: Answers = {
  updateAppVersion: [ok, ok, ok, ok, wrong, wrong],
  submitAppVersion: [ok, 'VALIDATION_FAILED', wrong, ok, wrong, wrong],
  withdrawAppVersion: [wrong, wrong, ok, wrong, wrong, wrong],
  discardAppVersion: [ok, ok, ok, ok, wrong, wrong],
  rebaseAppVersion: [ok, ok, ok, ok, wrong, wrong],
  claimReview: [hidden, hidden, ok, hidden, hidden, hidden],
  releaseReview: [hidden, hidden, ok, hidden, hidden, hidden],
  approveAppVersion: [wrong, wrong, ok, wrong, wrong, wrong],
  rejectAppVersion: [wrong, wrong, ok, wrong, wrong, wrong],
};
/** The others work as well while the app is taken down (D61). */
const whileSuspended: Answers = {
  submitAppVersion: [down, down, down, down, down, down],
  approveAppVersion: [wrong, wrong, down, wrong, wrong, wrong],
};

describe('allowedActions of a version', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());

  const aVersionThatIs = async (situation: (typeof situations)[number], appIs: (typeof apps)[number]) => {
    await setStatus(service, ada, 'VERIFIED');
    const [status, incomplete] = situation.split(', ');
    const { app, version } = await service.aVersion(
      ada,
      status as VersionStatus,
      incomplete ? { screenshots: [] } : undefined,
    );
    if (appIs === 'SUSPENDED')
      await service.administer('suspendApp', { id: app.id, reason: 'It misbehaves.' });
    return { appId: app.id, id: version.id };
  };
  const twins = (appId: string) => async () => (await twinOf(service, appId)).versionId ?? '';
  const read = async (id: string, bearer: string) => {
    const query = `query ($id: ID!) { node(id: $id) { ... on AppVersion { ${allowedActions} } } }`;
    type Answer = { node: { allowedActions: Foretold[] } };
    return (await service.client.queryData<Answer>(query, { id }, bearer)).node.allowedActions;
  };
  const expectAnswers = (
    foretold: readonly Foretold[],
    situation: (typeof situations)[number],
    app: (typeof apps)[number],
  ) => {
    const expected = app === 'SUSPENDED' ? { ...answers, ...whileSuspended } : answers;
    for (const { action, code } of foretold)
      expect([action, code]).toEqual([action, expected[action]?.[situations.indexOf(situation)]]);
  };

  describe.each(['its owner', 'an administrator'])('%s sees the result of each call in advance', (who) => {
    it.each(table)('%s, of an app that is %s (D18, D26, D61)', async (situation, app) => {
      const { appId, id: subject } = await aVersionThatIs(situation, app);
      const bearer = who === 'its owner' ? ada.token : await service.admin();
      const foretold = await read(subject, bearer);
      expect(foretold).toHaveLength(5);
      expectAnswers(foretold, situation, app);
      await expectForetold(service, foretold, { bearer, subject, another: twins(appId) });
    });
  });

  it.each([
    ['one’s own', null],
    ['another’s', 'REVIEW_CLAIMED'],
    ['another’s, expired', null],
    ['nobody’s, of one’s own app', 'FORBIDDEN'],
  ])(
    'with a claim that is %s, an administrator is told %s at a decision (D55, D104)',
    async (whose, code) => {
      const { appId, id: subject } = await aVersionThatIs('PENDING', 'APPROVED');
      const me = await service.anAdministrator();
      const bearer = code === 'FORBIDDEN' ? await service.asAdministrator(ada) : me.token;
      const holder = whose === 'one’s own' ? me : await service.anAdministrator();
      if (code !== 'FORBIDDEN') await service.must('claimReview', { id: subject }, holder.token);
      if (whose === 'another’s, expired')
        await service.sql('update submissions set claimed_until = now() where version_id = $1', [subject]);
      const { version: foretold } = await foretoldInQueue(service, appId, bearer);
      const decisions = foretold.filter(({ action }) => /^(approve|reject)/.test(action));
      expect(decisions.map((each) => each.code)).toEqual([code, code]);
      await expectForetold(service, foretold, { bearer, subject, another: twins(appId) });
    },
  );

  it.each([
    ['UNVERIFIED', 'DEVELOPER_NOT_VERIFIED'],
    ['VERIFIED', null],
  ] as const)('an owner who is %s sees it at submitAppVersion', async (status, code) => {
    const { appId, id: subject } = await aVersionThatIs('DRAFT', 'APPROVED');
    await setStatus(service, ada, status);
    const foretold = await read(subject, ada.token);
    expect(foretold.find(({ action }) => action === 'submitAppVersion')?.code).toBe(code);
    await expectForetold(service, foretold, { bearer: ada.token, subject, another: twins(appId) });
    await setStatus(service, ada, 'VERIFIED');
  });

  it.each([Scope.APP_READ, Scope.APP_UPDATE, Scope.APP_DELETE])(
    'its owner’s key that reads and holds %s sees which scope is missing',
    async (scope) => {
      const { appId, id: subject } = await aVersionThatIs('PENDING', 'APPROVED');
      const bearer = await service.aKey(ada, [...new Set([Scope.APP_READ, scope])]);
      await expectForetold(service, await read(subject, bearer), { bearer, subject, another: twins(appId) });
    },
  );

  it.each(['APPROVED', 'DISCARDED'] as const)('no action is allowed once it is %s', async (status) => {
    const { id } = await aVersionThatIs('PENDING', 'APPROVED');
    const bearer = await service.asAdministrator(await service.aDeveloper());
    const [act, who, input] =
      status === 'APPROVED'
        ? (['approveAppVersion', bearer, { id, revision: 1 }] as const)
        : (['discardAppVersion', ada.token, { id }] as const);
    const ended = await service.must<Json & { allowedActions: Foretold[] }>(act, input, who);
    expect(ended.allowedActions.map(({ allowed }) => allowed)).toEqual(Array(5).fill(false));
    const another = () => Promise.reject(new Error('nothing is allowed'));
    await expectForetold(service, ended.allowedActions, { bearer: who, subject: id, another });
  });
});
