import { beforeAll, describe, expect, it } from '@jest/globals';
import { type OperationName, operations } from '../../src/contract.js';
import { type AppStatus, aRejection, type Json, unique, type VersionStatus } from '../support/actors.js';
import type { Input } from '../support/api-client.js';
import { linesOf } from '../support/audit.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { expectError, expectSuccess } from '../support/outcomes.js';
import { startService } from '../support/service.js';

/**
 * An administrator must not act in their own favour (D104). The tables name every operation of the
 * administration; each is tried by an administrator on what is their own.
 */
type Make = () => Promise<Input>;

/** Her token with the administrator's role. */
let asAdministrator: string;
const service = duringTests(startService);
/** A developer who is also an administrator. */
const ada = beforeTests(() => service.aDeveloper());
beforeAll(async () => {
  asAdministrator = await service.asAdministrator(ada);
});

const reason = 'It must be.';
const app =
  (status: AppStatus, input: Input = {}) =>
  async () => ({ id: (await service.anApp(ada, status)).id, ...input });
const version =
  (status: VersionStatus, input: Input = {}) =>
  async () => ({ id: (await service.aVersion(ada, status)).version.id, ...input });
const submission = async () => {
  const { id } = await service.anApp(ada, 'PENDING');
  const [row] = await service.sql<{ id: string }>('select id from submissions where app_id = $1', [id]);
  return { id: row!.id };
};
const aRating = async () => (await service.aRating(await service.anApp(ada, 'APPROVED'))).id;
const aHiddenRating = async () => {
  const id = await aRating();
  await service.administer('hideRating', { id, reason });
  return id;
};
const aReportedRating = async () => {
  const id = await aRating();
  await service.must('reportRating', { id, reason }, await service.token(unique('reporter')));
  return id;
};
const herself =
  (status: 'UNVERIFIED' | 'VERIFIED' | 'SUSPENDED', input: Input = {}) =>
  async () => {
    await become(status);
    return { id: ada.id, ...input };
  };
/** Another administrator sees to it, whatever she was before. */
const become = async (status: 'UNVERIFIED' | 'VERIFIED' | 'SUSPENDED') => {
  const { id } = ada;
  await service.administer('reinstateDeveloper', { id });
  await service.administer('verifyDeveloper', { id });
  if (status === 'UNVERIFIED') await service.administer('unverifyDeveloper', { id, reason });
  if (status === 'SUSPENDED') await service.administer('suspendDeveloper', { id, reason });
};

/** An endpoint of the administration; there is a limit, so the former ones make room. */
const adminWebhook =
  (input: Input = {}) =>
  async () => {
    await service.sql('delete from webhook_endpoints where developer_id is null');
    const url = 'https://desk.example/hook';
    const { id } = await service.administer<Json>('createAdminWebhook', { url });
    return { id, ...input };
  };

/** What they may do, and the object of their own that it is tried on. */
const allowed: Partial<Record<OperationName, Make | null>> = {
  // Operations that only read.
  developers: null,
  developer: herself('VERIFIED'),
  adminApps: null,
  adminApp: app('DRAFT'),
  reviewQueue: null,
  reviewItem: app('PENDING'),
  reviewCounts: null,
  decisions: null,
  reviewStats: null,
  reviewQueueChanged: null,
  appChanged: app('DRAFT'),
  hiddenRatings: null,
  reportedRatings: null,
  appReports: null,
  auditLog: null,
  administrators: null,
  adminWebhooks: null,
  adminWebhookDeliveries: async () => ({ endpointId: (await adminWebhook()()).id }),
  // Operations on what belongs to all administrators together.
  createAdminWebhook: async () => ({ url: 'https://desk.example/hook' }),
  updateAdminWebhook: adminWebhook({ description: 'New' }),
  deleteAdminWebhook: adminWebhook(),
  rotateAdminWebhookSecret: adminWebhook(),
  enableAdminWebhook: adminWebhook(),
  testAdminWebhook: adminWebhook(),
  replayAdminWebhookDelivery: async () => {
    const { id } = await service.administer<Json>('testAdminWebhook', await adminWebhook()());
    return { id };
  },
  // Operations that favour nobody.
  unverifyDeveloper: herself('VERIFIED', { reason }),
  suspendDeveloper: herself('VERIFIED', { reason }),
  suspendApp: app('APPROVED', { reason }),
  releaseReview: app('PENDING'),
  // It skips what is their own.
  claimNext: null,
  // Their own version they rebase as its developer.
  rebaseAppVersion: version('PENDING'),
};

/**
 * What they may not do: on an object in a state in which another administrator could do it, and in one in which it is
 * impossible, since FORBIDDEN comes before the check of the state.
 */
const forbidden: Partial<Record<OperationName, [on: Make, elsewhere?: Make]>> = {
  editDeveloper: [herself('VERIFIED', { bio: 'New', reason })],
  verifyDeveloper: [herself('UNVERIFIED'), herself('SUSPENDED')],
  reinstateDeveloper: [herself('SUSPENDED'), herself('VERIFIED')],
  claimReview: [submission, app('DRAFT', { takeOver: true })],
  messageDeveloper: [app('PENDING', { text: 'All is well.' })],
  approveApp: [app('PENDING', { revision: 1 }), app('DRAFT', { revision: 7 })],
  rejectApp: [app('PENDING', aRejection(1)), app('DRAFT', aRejection(7))],
  restoreApp: [app('SUSPENDED'), app('DRAFT')],
  featureApp: [app('APPROVED', { featured: true }), app('DRAFT', { featured: true })],
  editApp: [app('APPROVED', { name: 'Best', reason }), app('DRAFT', { name: 'Best', reason })],
  approveAppVersion: [version('PENDING', { revision: 1 }), version('DISCARDED', { revision: 7 })],
  rejectAppVersion: [version('PENDING', aRejection(1)), version('DISCARDED', aRejection(7))],
  hideRating: [
    async () => ({ id: await aRating(), reason }),
    async () => ({ id: await aHiddenRating(), reason }),
  ],
  dismissRatingReports: [
    async () => ({ id: await aReportedRating() }),
    async () => ({ id: await aRating() }),
  ],
  dismissAppReports: [
    async () => {
      const { id, slug } = await service.anApp(ada, 'APPROVED');
      const token = await service.token(unique('reporter'));
      await service.must('reportApp', { slug, reason: 'SPAM' }, token);
      return { id };
    },
    app('APPROVED'),
  ],
  unhideRating: [async () => ({ id: await aHiddenRating() }), async () => ({ id: await aRating() })],
};

/** The operations that an administrator's token opens, as the contract has them. */
const administration = operations.filter(([, { policy }]) => policy.kind === 'admin' || policy.own);

describe('four eyes (D104)', () => {
  it('every administrator’s operation declares its rule for one’s own things, and has a row here', () => {
    const declared = administration.map(([name, { policy }]) => {
      const { ownAllowed, notForOneself } = (policy.own ?? {}) as Record<string, string | undefined>;
      return [name, notForOneself ? 'forbidden' : ownAllowed ? 'allowed' : 'says nothing'];
    });
    const rows = (table: object, own: string) => Object.keys(table).map((name) => [name, own]);
    expect(Object.fromEntries(declared)).toEqual(
      Object.fromEntries([...rows(allowed, 'allowed'), ...rows(forbidden, 'forbidden')]),
    );
  });

  const denied = Object.entries(forbidden) as [OperationName, [Make, Make?]][];
  const inputOf = async (make?: Make | null) => {
    await become('VERIFIED');
    return (await make?.()) ?? {};
  };

  it.each(denied)(
    'refuses %s for oneself, and nothing has happened; another administrator may',
    async (name, [on]) => {
      const input = await inputOf(on);
      const lines = await linesOf(service, async () => {
        const outcome = await service.call(name, input, asAdministrator);
        expectError(outcome, 'FORBIDDEN');
        expect(outcome.message).toContain('another administrator');
      });
      expect(lines).toEqual([]);
      expectSuccess(await service.callAsAdmin(name, input));
    },
  );

  it.each(denied.filter(([, [, elsewhere]]) => elsewhere))(
    'refuses %s for oneself before it checks the state',
    async (name, [, elsewhere]) => {
      const input = await inputOf(elsewhere);
      expectError(await service.call(name, input, asAdministrator), 'FORBIDDEN');
    },
  );

  const permitted = Object.entries(allowed) as [OperationName, Make | null][];
  it.each(permitted)('allows %s for oneself', async (name, on) => {
    const input = await inputOf(on);
    expectSuccess(await service.call(name, input, asAdministrator));
  });

  it.each(['id of the version', 'id of its submission'])('refuses to claim by the %s', async (which) => {
    const { id } = await inputOf(version('PENDING'));
    const [row] = await service.sql<Json>('select id from submissions where version_id = $1', [id]);
    const claim = { id: which === 'id of the version' ? id : row!.id };
    expectError(await service.call('claimReview', claim, asAdministrator), 'FORBIDDEN');
  });

  it('goes by the account, which need not be registered: nobody shows their own hidden rating again', async () => {
    const accountUserId = unique('critic');
    const token = await service.token(accountUserId, { admin: true });
    const { slug } = await service.anApp(await service.aDeveloper(), 'APPROVED');
    const { id } = await service.must<Json>('rateApp', { slug, rating: 1 }, token);
    await service.administer('hideRating', { id, reason });
    expectError(await service.call('unhideRating', { id }, token), 'FORBIDDEN');
  });

  it('keeps administrators from dismissing the reports of what they wrote', async () => {
    const token = await service.token(unique('critic'), { admin: true });
    const { slug } = await service.anApp(await service.aDeveloper(), 'APPROVED');
    const { id } = await service.must<Json>('rateApp', { slug, rating: 1 }, token);
    await service.must('reportRating', { id, reason }, await service.token(unique('reporter')));
    expectError(await service.call('dismissRatingReports', { id }, token), 'FORBIDDEN');
  });

  it('applies to an account that registers in the same document', async () => {
    const accountUserId = unique('both');
    const token = await service.token(accountUserId, { admin: true });
    const profile = { accountUserId, name: 'Both', email: `${accountUserId}@example.com` };
    const { id } = await service.must<Json>('registerDeveloper', profile, token);
    const { errors } = await service.client.graphql(
      'mutation ($id: ID!) { updateMe(input: { bio: "New" }) { id } verifyDeveloper(id: $id) { status } }',
      { id },
      token,
    );
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN']);
  });

  it('lets an administrator who is a developer act on what is not theirs', async () => {
    const grace = await service.aDeveloper();
    const { id } = await service.anApp(grace, 'PENDING');
    await become('VERIFIED');
    for (const [name, input] of [
      ['claimReview', { id }],
      ['approveApp', { id, revision: 1 }],
      ['unverifyDeveloper', { id: grace.id, reason }],
      ['verifyDeveloper', { id: grace.id }],
    ] as const)
      expectSuccess(await service.call(name, input, asAdministrator));
  });

  it('returns NOT_FOUND for what does not exist, as ever', async () => {
    const id = '0198c5b0-7a60-7c1e-8f5e-9d491f8f6a1f';
    for (const [name, input] of [
      ['verifyDeveloper', { id }],
      ['claimReview', { id }],
      ['hideRating', { id, reason }],
      ['approveAppVersion', { id, revision: 1 }],
    ] as const)
      expectError(await service.call(name, input, asAdministrator), 'NOT_FOUND');
  });
});
