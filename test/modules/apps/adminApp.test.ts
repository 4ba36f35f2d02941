import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Scope } from '../../../src/auth/scope.js';
import { type AppJson, aRejection } from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { aTime, unknownId } from '../../support/matchers.js';
import { sharedService } from '../../support/service.js';

type Nodes = { totalCount: number; edges: { node: Record<string, unknown> }[] };

describe('adminApp over graphql', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());
  const mia = beforeTests(() => service.anAdministrator());

  const fields = `developer { id email }
    versions { totalCount edges { node { id status revision changes { field } } } }
    submissions { totalCount edges { node {
      outcome revision submittedAt decidedAt note reviewer claim { by } findings { field code }
      rejection { guidance reasons { code message addressed } } app { id } version { id }
    } } }
    ratings { totalCount edges { node { id rating accountUserId moderation { by reason } } } }`;
  type Read = { developer: unknown; versions: Nodes; submissions: Nodes; ratings: Nodes };
  const asAdmin = async (id: string, selection = fields) => {
    const query = `query ($id: ID!) { adminApp(id: $id) { ${selection} } }`;
    return (await service.client.queryData<{ adminApp: Read }>(query, { id }, mia.token)).adminApp;
  };
  const asOwner = async (id: string) => {
    const query = `query ($id: ID!) { myApp(id: $id) { ${fields} } }`;
    return (await service.client.queryData<{ myApp: Read }>(query, { id }, ada.token)).myApp;
  };
  const nodes = ({ edges }: Nodes) => edges.map(({ node }) => node);
  const decide = (decision: 'approveApp' | 'rejectApp' | 'approveAppVersion', input: Input) =>
    service.client.must(decision, input, mia.token);

  it('returns an app of any developer in any state, as its owner sees it (D158)', async () => {
    for (const status of ['DRAFT', 'PENDING', 'SUSPENDED'] as const) {
      const app = await service.anApp(ada, status);
      expect(await service.client.must('adminApp', { id: app.id }, mia.token)).toEqual(app);
    }
  });

  it('is null with NOT_FOUND for a missing one, and leaves the rest of the document (D158)', async () => {
    const { id } = await service.anApp(ada);
    const { data, errors } = await service.client.graphql(
      'query ($id: ID!, $missing: ID!) { missing: adminApp(id: $missing) { id } adminApp(id: $id) { id } }',
      { id, missing: unknownId },
      mia.token,
    );
    expect(data).toEqual({ missing: null, adminApp: { id } });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['NOT_FOUND']);
  });

  describe('the history', () => {
    let versionId: string;
    const app = beforeTests(() => service.anApp(ada, 'PENDING'));
    beforeAll(async () => {
      const { id } = app;
      await service.client.must('withdrawApp', { id }, ada.token);
      await service.client.must('submitApp', { id }, ada.token);
      await decide('rejectApp', { id, ...aRejection(1) });
      await service.client.must('addressReason', { id, reason: 0 }, ada.token);
      await service.client.must('updateApp', { id, logoUrl: 'https://pictures.example/l.png' }, ada.token);
      await service.client.must('submitApp', { id }, ada.token);
      await decide('approveApp', { id, revision: 2, note: 'Well done.' });
      const version = await service.client.must<AppJson>(
        'createAppVersion',
        { appId: id, logoUrl: null },
        ada.token,
      );
      versionId = version.id;
      await service.client.must('submitAppVersion', { id: versionId }, ada.token);
      await service.client.must('claimReview', { id: versionId }, mia.token);
    });

    it('has every submission with its outcome, newest first (D159)', async () => {
      const { submissions } = await asAdmin(app.id);
      const missingLogo = [{ field: 'logoUrl', code: 'missing' }];
      const common = {
        submittedAt: aTime,
        decidedAt: aTime,
        claim: null,
        app: { id: app.id },
        version: null,
      };
      const nothing = { rejection: null, note: null, reviewer: null };
      expect(nodes(submissions)).toEqual([
        {
          ...common,
          ...nothing,
          outcome: null,
          revision: null,
          decidedAt: null,
          claim: { by: mia.accountUserId },
          findings: missingLogo,
          version: { id: versionId },
        },
        {
          ...common,
          ...nothing,
          outcome: 'APPROVED',
          revision: 2,
          note: 'Well done.',
          reviewer: mia.accountUserId,
          findings: [],
        },
        {
          ...common,
          ...nothing,
          outcome: 'REJECTED',
          revision: 1,
          rejection: {
            guidance: 'Say what it does.',
            reasons: [{ code: 'INCOMPLETE', message: 'It says too little.', addressed: true }],
          },
          reviewer: mia.accountUserId,
          findings: missingLogo,
        },
        { ...common, ...nothing, outcome: 'WITHDRAWN', revision: 1, findings: null },
      ]);
      expect(submissions.totalCount).toBe(4);
    });

    it('shows its owner the same, without the administrators (D159)', async () => {
      const [seen, owned] = [await asAdmin(app.id), await asOwner(app.id)];
      expect(owned.versions).toEqual(seen.versions);
      expect(owned.developer).toEqual(seen.developer);
      expect(nodes(owned.submissions)).toEqual(
        nodes(seen.submissions).map((node) => ({ ...node, reviewer: null, claim: null })),
      );
      expect(JSON.stringify(owned)).not.toContain(mia.accountUserId);
    });

    it('has every version, newest first, and the developer (D159)', async () => {
      await decide('approveAppVersion', { id: versionId, revision: 1 });
      const second = await service.client.must<AppJson>(
        'createAppVersion',
        { appId: app.id, name: 'Two' },
        ada.token,
      );
      await service.client.must('discardAppVersion', { id: second.id }, ada.token);
      const { versions, developer } = await asAdmin(app.id);
      expect(versions).toEqual({
        totalCount: 2,
        edges: [
          { node: { id: second.id, status: 'DISCARDED', revision: 1, changes: [{ field: 'name' }] } },
          { node: { id: versionId, status: 'APPROVED', revision: 1, changes: [] } },
        ],
      });
      expect(developer).toEqual({ id: ada.id, email: ada.email });
    });
  });

  it('has the ratings; administrators also see the hidden ones, their author and who hid them (D77)', async () => {
    const app = await service.anApp(ada, 'APPROVED');
    const shown = await service.aRating(app, { rating: 5 });
    const hidden = await service.aRating(app, { rating: 1 });
    await service.client.must('hideRating', { id: hidden.id, reason: 'Spam.' }, mia.token);
    expect((await asAdmin(app.id)).ratings).toEqual({
      totalCount: 2,
      edges: [
        {
          node: {
            id: hidden.id,
            rating: 1,
            accountUserId: hidden.accountUserId,
            moderation: { by: mia.accountUserId, reason: 'Spam.' },
          },
        },
        { node: { id: shown.id, rating: 5, accountUserId: shown.accountUserId, moderation: null } },
      ],
    });
    expect((await asOwner(app.id)).ratings).toEqual({
      totalCount: 1,
      edges: [{ node: { id: shown.id, rating: 5, accountUserId: null, moderation: null } }],
    });
  });

  describe('Developer.apps', () => {
    const query =
      '{ me { apps(first: 2) { totalCount edges { node { id installCount } } pageInfo { hasNextPage } } } }';
    const ids: string[] = [];
    const grace = beforeTests(() => service.aDeveloper());
    beforeAll(async () => {
      for (const status of ['APPROVED', 'DRAFT', 'DRAFT'] as const)
        ids.unshift((await service.anApp(grace, status)).id);
    });

    it('lists the own apps, newest first (D159)', async () => {
      expect(await service.client.queryData(query, {}, grace.token)).toEqual({
        me: {
          apps: {
            totalCount: 3,
            edges: ids.slice(0, 2).map((id) => ({ node: { id, installCount: 0 } })),
            pageInfo: { hasNextPage: true },
          },
        },
      });
    });

    it('lists the apps of any developer for administrators, with their installs (D159)', async () => {
      const { slug } = await service.client.must<AppJson>('adminApp', { id: ids[2] }, mia.token);
      await service.client.must('recordInstall', { slug });
      const { developer } = await service.client.queryData<{ developer: { apps: Nodes } }>(
        'query ($id: ID!) { developer(id: $id) { apps { edges { node { id installCount developer { id } } } } } }',
        { id: grace.id },
        mia.token,
      );
      expect(nodes(developer.apps)).toEqual(
        ids.map((id, i) => ({ id, installCount: i === 2 ? 1 : 0, developer: { id: grace.id } })),
      );
    });

    it('needs the scope of myApps (D10, D159)', async () => {
      const [narrow, reading] = [
        await service.aKey(grace, ['APP_CREATE' as Scope]),
        await service.aKey(grace, ['APP_READ' as Scope]),
      ];
      const { errors } = await service.client.graphql(query, {}, narrow);
      expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['INSUFFICIENT_SCOPE']);
      expect((await service.client.graphql(query, {}, reading)).errors).toBeUndefined();
    });
  });
});
