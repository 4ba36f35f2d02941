import { beforeAll, describe, expect, it } from '@jest/globals';
import { type OperationName, operations } from '../../src/contract.js';
import { type AppStatus, aRejection, type Json, unique, type VersionStatus } from '../support/actors.js';
import type { Input } from '../support/api-client.js';
import { linesOf } from '../support/audit.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { expectError, expectSuccess } from '../support/outcomes.js';
import { startService } from '../support/service.js';

/**
 * An administrator must not act in their own favour (D104). The table names every operation of the
 * administration; each is tried by an administrator on what is their own.
 */
interface Row {
  own: 'forbidden' | 'allowed';
  /** The objects of their own that it is tried on, each in a state in which another administrator could do it. */
  on?: () => Promise<Input>;
  /** The same in a state in which it is impossible: FORBIDDEN comes before the check of the state. */
  elsewhere?: () => Promise<Input>;
}

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

const table: Partial<Record<OperationName, Row>> = {
  // Operations that only read.
  developers: { own: 'allowed' },
  developer: { own: 'allowed', on: herself('VERIFIED') },
  adminApps: { own: 'allowed' },
  adminApp: { own: 'allowed', on: app('DRAFT') },
  reviewQueue: { own: 'allowed' },
  reviewItem: { own: 'allowed', on: app('PENDING') },
  reviewCounts: { own: 'allowed' },
  decisions: { own: 'allowed' },
  reviewStats: { own: 'allowed' },
  reviewQueueChanged: { own: 'allowed' },
  appChanged: { own: 'allowed', on: app('DRAFT') },
  hiddenRatings: { own: 'allowed' },
  reportedRatings: { own: 'allowed' },
  appReports: { own: 'allowed' },
  auditLog: { own: 'allowed' },
  administrators: { own: 'allowed' },
  adminWebhooks: { own: 'allowed' },
  adminWebhookDeliveries: {
    own: 'allowed',
    on: async () => ({ endpointId: (await adminWebhook()()).id }),
  },
  // Operations on what belongs to all administrators together.
  createAdminWebhook: { own: 'allowed', on: async () => ({ url: 'https://desk.example/hook' }) },
  updateAdminWebhook: { own: 'allowed', on: adminWebhook({ description: 'New' }) },
  deleteAdminWebhook: { own: 'allowed', on: adminWebhook() },
  rotateAdminWebhookSecret: { own: 'allowed', on: adminWebhook() },
  enableAdminWebhook: { own: 'allowed', on: adminWebhook() },
  testAdminWebhook: { own: 'allowed', on: adminWebhook() },
  replayAdminWebhookDelivery: {
    own: 'allowed',
    on: async () => {
      const { id } = await service.administer<Json>('testAdminWebhook', await adminWebhook()());
      return { id };
    },
  },
  // Operations that favour nobody.
  unverifyDeveloper: { own: 'allowed', on: herself('VERIFIED', { reason }) },
  editDeveloper: { own: 'forbidden', on: herself('VERIFIED', { bio: 'New', reason }) },
  suspendDeveloper: { own: 'allowed', on: herself('VERIFIED', { reason }) },
  suspendApp: { own: 'allowed', on: app('APPROVED', { reason }) },
  releaseReview: { own: 'allowed', on: app('PENDING') },
  // It skips what is their own.
  claimNext: { own: 'allowed' },
  // Their own version they rebase as its developer.
  rebaseAppVersion: { own: 'allowed', on: version('PENDING') },
  // Operations that help the owner.
  verifyDeveloper: { own: 'forbidden', on: herself('UNVERIFIED'), elsewhere: herself('SUSPENDED') },
  reinstateDeveloper: { own: 'forbidden', on: herself('SUSPENDED'), elsewhere: herself('VERIFIED') },
  claimReview: { own: 'forbidden', on: submission, elsewhere: app('DRAFT', { takeOver: true }) },
  messageDeveloper: { own: 'forbidden', on: app('PENDING', { text: 'All is well.' }) },
  approveApp: {
    own: 'forbidden',
    on: app('PENDING', { revision: 1 }),
    elsewhere: app('DRAFT', { revision: 7 }),
  },
  rejectApp: { own: 'forbidden', on: app('PENDING', aRejection(1)), elsewhere: app('DRAFT', aRejection(7)) },
  restoreApp: { own: 'forbidden', on: app('SUSPENDED'), elsewhere: app('DRAFT') },
  featureApp: {
    own: 'forbidden',
    on: app('APPROVED', { featured: true }),
    elsewhere: app('DRAFT', { featured: true }),
  },
  editApp: {
    own: 'forbidden',
    on: app('APPROVED', { name: 'Best', reason }),
    elsewhere: app('DRAFT', { name: 'Best', reason }),
  },
  approveAppVersion: {
    own: 'forbidden',
    on: version('PENDING', { revision: 1 }),
    elsewhere: version('DISCARDED', { revision: 7 }),
  },
  rejectAppVersion: {
    own: 'forbidden',
    on: version('PENDING', aRejection(1)),
    elsewhere: version('DISCARDED', aRejection(7)),
  },
  hideRating: {
    own: 'forbidden',
    on: async () => ({ id: await aRating(), reason }),
    elsewhere: async () => ({ id: await aHiddenRating(), reason }),
  },
  dismissRatingReports: {
    own: 'forbidden',
    on: async () => ({ id: await aReportedRating() }),
    elsewhere: async () => ({ id: await aRating() }),
  },
  dismissAppReports: {
    own: 'forbidden',
    on: async () => {
      const { id, slug } = await service.anApp(ada, 'APPROVED');
      const token = await service.token(unique('reporter'));
      await service.must('reportApp', { slug, reason: 'SPAM' }, token);
      return { id };
    },
    elsewhere: app('APPROVED'),
  },
  unhideRating: {
    own: 'forbidden',
    on: async () => ({ id: await aHiddenRating() }),
    elsewhere: async () => ({ id: await aRating() }),
  },
};

/** The operations that an administrator's token opens, as the contract has them. */
const administration = operations.filter(([, { policy }]) => policy.kind === 'admin' || policy.own);

describe('four eyes (D104)', () => {
  it('every administrator’s operation declares its rule for one’s own things, and has a row here', () => {
    const declared = administration.map(([name, { policy }]) => {
      const { ownAllowed, notForOneself } = (policy.own ?? {}) as Record<string, string | undefined>;
      return [name, notForOneself ? 'forbidden' : ownAllowed ? 'allowed' : 'says nothing'];
    });
    expect(Object.fromEntries(declared)).toEqual(
      Object.fromEntries(Object.entries(table).map(([name, { own }]) => [name, own])),
    );
  });

  const rows = Object.entries(table) as [OperationName, Row][];
  const inputOf = async (make?: () => Promise<Input>) => {
    await become('VERIFIED');
    return (await make?.()) ?? {};
  };

  it.each(rows.filter(([, { own }]) => own === 'forbidden'))(
    'refuses %s for oneself, and nothing has happened; another administrator may',
    async (name, { on }) => {
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

  it.each(rows.filter(([, { elsewhere }]) => elsewhere))(
    'refuses %s for oneself before it checks the state',
    async (name, { elsewhere }) => {
      const input = await inputOf(elsewhere);
      expectError(await service.call(name, input, asAdministrator), 'FORBIDDEN');
    },
  );

  it.each(rows.filter(([, { own }]) => own === 'allowed'))('allows %s for oneself', async (name, { on }) => {
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
