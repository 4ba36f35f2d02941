import { describe, expect, it } from '@jest/globals';
import { Scope } from '../../src/auth/scope.js';
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

const situations = ['DRAFT', 'DRAFT, incomplete', 'PENDING', 'REJECTED'] as const;
const apps = ['APPROVED', 'SUSPENDED'] as const;
const table = situations.flatMap((situation) => apps.map((app) => [situation, app] as const));

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
  const read = async (act: string, id: string, bearer: string) => {
    type Answer = Record<'app', { openVersion: { allowedActions: Foretold[] } }>;
    const query = `${act} { openVersion { ${allowedActions} } } }`;
    return (await service.client.queryData<Answer>(query, { id }, bearer)).app.openVersion.allowedActions;
  };
  const asOwner = (id: string, bearer: string) => read('query ($id: ID!) { app: myApp(id: $id)', id, bearer);
  const asAdministrator = (id: string, bearer: string) =>
    read('mutation ($id: ID!) { app: featureApp(id: $id, featured: false)', id, bearer);

  it.each(table)(
    'its owner sees the result of each call in advance: %s, of an app that is %s',
    async (situation, app) => {
      const { appId, id: subject } = await aVersionThatIs(situation, app);
      const foretold = await asOwner(appId, ada.token);
      expect(foretold).toHaveLength(5);
      await expectForetold(service, foretold, { bearer: ada.token, subject, another: twins(appId) });
    },
  );

  it.each(table)(
    'an administrator sees the result of each call in advance: %s, of an app that is %s',
    async (situation, app) => {
      const { appId, id: subject } = await aVersionThatIs(situation, app);
      const bearer = await service.admin();
      const foretold = await asAdministrator(appId, bearer);
      expect(foretold).toHaveLength(5);
      await expectForetold(service, foretold, { bearer, subject, another: twins(appId) });
    },
  );

  it('include claims of others and one’s own app', async () => {
    const { appId, id } = await aVersionThatIs('PENDING', 'APPROVED');
    await service.client.must('claimReview', { id }, (await service.anAdministrator()).token);
    for (const [bearer, code] of [
      [await service.admin(), 'REVIEW_CLAIMED'],
      [await service.asAdministrator(ada), 'FORBIDDEN'],
    ] as const) {
      const { version: foretold } = await foretoldInQueue(service, appId, bearer);
      const decisions = foretold.filter(({ action }) => /^(approve|reject)/.test(action));
      expect(decisions.map((each) => each.code)).toEqual([code, code]);
      await expectForetold(service, foretold, { bearer, subject: id, another: twins(appId) });
    }
  });

  it.each([
    ['UNVERIFIED', 'DEVELOPER_NOT_VERIFIED'],
    ['VERIFIED', null],
  ] as const)('an owner who is %s sees it at submitAppVersion', async (status, code) => {
    const { appId, id: subject } = await aVersionThatIs('DRAFT', 'APPROVED');
    await setStatus(service, ada, status);
    const foretold = await asOwner(appId, ada.token);
    expect(foretold.find(({ action }) => action === 'submitAppVersion')?.code).toBe(code);
    await expectForetold(service, foretold, { bearer: ada.token, subject, another: twins(appId) });
    await setStatus(service, ada, 'VERIFIED');
  });

  it.each([Scope.APP_READ, Scope.APP_UPDATE, Scope.APP_DELETE])(
    'its owner’s key that reads and holds %s sees which scope is missing',
    async (scope) => {
      const { appId, id: subject } = await aVersionThatIs('PENDING', 'APPROVED');
      const bearer = await service.aKey(ada, [...new Set([Scope.APP_READ, scope])]);
      await expectForetold(service, await asOwner(appId, bearer), { bearer, subject, another: twins(appId) });
    },
  );

  it.each(['APPROVED', 'DISCARDED'] as const)('no action is allowed once it is %s', async (status) => {
    const { id } = await aVersionThatIs('PENDING', 'APPROVED');
    const bearer = await service.asAdministrator(await service.aDeveloper());
    const [act, who, input] =
      status === 'APPROVED'
        ? (['approveAppVersion', bearer, { id, revision: 1 }] as const)
        : (['discardAppVersion', ada.token, { id }] as const);
    const ended = await service.client.must<Json & { allowedActions: Foretold[] }>(act, input, who);
    expect(ended.allowedActions.map(({ allowed }) => allowed)).toEqual(Array(5).fill(false));
    const another = () => Promise.reject(new Error('nothing is allowed'));
    await expectForetold(service, ended.allowedActions, { bearer: who, subject: id, another });
  });
});
