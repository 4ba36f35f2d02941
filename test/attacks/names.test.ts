import { describe, expect, it } from '@jest/globals';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { ormOptions } from '../../mikro-orm.config.js';
import { fillSkeletons } from '../../src/modules/names/name.queries.js';
import { nameSkeleton, skeletonRule } from '../../src/modules/names/name.rules.js';
import { ReservedNames } from '../../src/modules/names/reserved-name.rules.js';
import { type Developer, unique } from '../support/actors.js';
import { apis } from '../support/api-client.js';
import { duringTests } from '../support/before-tests.js';
import { expectError, expectSuccess } from '../support/outcomes.js';
import { secondGateway, startService } from '../support/service.js';

const service = duringTests(() =>
  startService({
    MAIL_FROM: '"Orchard Apps" <apps@orchard.example>',
    RESERVED_NAMES: 'Orchard, Pear Store',
  }),
);

const reason = 'It must be.';

describe('one rule for names that look alike (D340)', () => {
  it.each([
    ...[
      'Time Tracker™',
      'Time Tracker ®',
      'Time Tracker©',
      'Time Tracker℠',
      'Time Trackerᵀᴹ',
      'Time TrackerⓇ',
    ],
    ...['Time Tracker (TM)', 'Time Tracker (r)', 'Time Tracker\u{1f16a}', 'Time Tracker²', 'Time Tracker₂'],
    ...['Time¹ Tracker³', 'Ⓣime Ⓣracker', 'ᵀⁱᵐᵉ ᵀʳᵃᶜᵏᵉʳ', 'Time Tracker\u20dd', 'T\u1dc4ime Tracker'],
    '🚀 Time Tracker 🚀',
  ])('takes %s for Time Tracker', (name) => {
    expect(nameSkeleton(name)).toBe(nameSkeleton('Time Tracker'));
  });

  it.each([
    ['Time Tracker', 'Time Tracker 2'],
    ['Time Tracker 2', 'Time Tracker 3'],
    ['™', '®'],
    ['²', '³'],
    ['Crab', 'Ⓒrab House'],
  ])('does not take %s for %s', (one, other) => {
    expect(nameSkeleton(one)).not.toBe(nameSkeleton(other));
  });

  it('costs little for the worst names, reserved ones included', () => {
    const reserved = new ReservedNames(['a', 'aa', 'aaa', 'aaaa']);
    const worst = ['\ufdfa', 'm', 'a', 'admin', '™', '(tm)', 'ᵀᴹ', '🦊', 'x\u0301', 'И', 'a$'].map((part) =>
      part.repeat(100).slice(0, 400),
    );
    const start = performance.now();
    for (let round = 0; round < 50; round += 1)
      for (const name of worst) reserved.includes(round % 2 ? `${name}b` : name);
    expect((performance.now() - start) / (50 * worst.length)).toBeLessThan(20);
  });
});

describe.each(apis)('taking a name over %s', (api) => {
  const renamed = (developer: Developer, input: object) =>
    service.client.call(api, 'updateMe', { ...input }, api === 'rest' ? developer.key : developer.token);

  it.each([
    ['the same name', (name: string) => ({ name })],
    ['with a Cyrillic letter', (name: string) => ({ name: name.replace('o', 'о') })],
    ['as a trade mark', (name: string) => ({ name: `${name}™` })],
    ['as a company', (name: string) => ({ companyName: name.toUpperCase() })],
  ])('a verified developer cannot look like another one: %s (D325)', async (_, change) => {
    const name = unique('Lighthouse Tools');
    await service.aDeveloper({ name });
    const eve = await service.aDeveloper({ name: unique('Eve') });
    const input = change(name);
    expectError(await renamed(eve, input), 'VALIDATION_FAILED', [
      `${Object.keys(input)[0]}: looks_like_another`,
    ]);
  });

  it('nor take their company as a name, or say both in one call (D325)', async () => {
    const companyName = unique('Lighthouse Ltd');
    await service.aDeveloper({ name: unique('Lou'), companyName });
    const eve = await service.aDeveloper({ name: unique('Eve') });
    const outcome = await renamed(eve, { name: `${companyName}²`, companyName, bio: 'Hello' });
    expectError(outcome, 'VALIDATION_FAILED', [
      'name: looks_like_another',
      'companyName: looks_like_another',
    ]);
    expect(outcome.details[0]!.message).toContain('Ask the administration');
    expect(await service.must('me', {}, eve.token)).toMatchObject({ companyName: null, bio: null });
  });

  it('nor take the name of one who is suspended for now (D325)', async () => {
    const name = unique('Lighthouse');
    const { id } = await service.aDeveloper({ name });
    await service.administer('suspendDeveloper', { id, reason });
    const eve = await service.aDeveloper({ name: unique('Eve') });
    expectError(await renamed(eve, { name }), 'VALIDATION_FAILED', ['name: looks_like_another']);
  });

  it('may take the name of one who is not verified, and send back their own (D325)', async () => {
    const name = unique('Lighthouse');
    await service.anUnverifiedDeveloper({ name });
    const eve = await service.aDeveloper({ name: unique('Eve'), companyName: 'Administrator Tools' });
    expectSuccess(await renamed(eve, { name }));
    expectSuccess(await renamed(eve, { name, companyName: 'Administrator Tools', bio: 'New' }));
  });

  it('one whose verification was withdrawn cannot either, while their apps are public (D325)', async () => {
    const name = unique('Lighthouse');
    await service.aDeveloper({ name });
    const eve = await service.aDeveloper({ name: unique('Eve') });
    await service.anApp(eve, 'APPROVED');
    await service.administer('unverifyDeveloper', { id: eve.id, reason });
    expectError(await renamed(eve, { name }), 'VALIDATION_FAILED', ['name: looks_like_another']);
  });

  it.each([
    ...[
      'Administrator',
      'admin',
      'АDMIN',
      'Adm1n',
      '4dm!n',
      'Moderators',
      'Marketplace Team',
      'Market place',
    ],
    ...['The Marketplace Team', 'Marketplace-Staff™', 'Team Marketplace', 'Official', 'Official Support'],
    ...[
      'Ｓupport Ｓtaff',
      '$upp0rt',
      'Administration',
      'Orchard Apps',
      'The Orchard Team',
      'Pear-Store Support',
    ],
  ])('nobody is called %s (D325)', async (name) => {
    const eve = await service.aDeveloper({ name: unique('Eve') });
    expectError(await renamed(eve, { name }), 'VALIDATION_FAILED', ['name: reserved']);
    expectError(await renamed(eve, { companyName: name }), 'VALIDATION_FAILED', ['companyName: reserved']);
    const accountUserId = unique('account');
    const profile = { accountUserId, name, companyName: name, email: `${accountUserId}@example.com` };
    const token = await service.token(accountUserId);
    expectError(await service.client.call(api, 'registerDeveloper', profile, token), 'VALIDATION_FAILED', [
      'name: reserved',
      'companyName: reserved',
    ]);
  });

  it.each(['Support Heroes', 'Adminton', 'Team', 'Staff', 'Marketplace Weekly', 'Theo', 'Orchards of Kent'])(
    'somebody may be called %s (D325)',
    async (name) => {
      expectSuccess(await renamed(await service.aDeveloper({ name: unique('Eve') }), { name: `${name}` }));
      await service.sql("update developers set name = 'Nobody ' || id where name = $1", [name]);
    },
  );

  it('a reserved name from before the rule stays until it is changed (D325)', async () => {
    const eve = await service.aDeveloper({ name: unique('Eve') });
    await service.sql("update developers set name = 'Support' where id = $1", [eve.id]);
    expectSuccess(await renamed(eve, { name: 'Support', bio: 'Still here' }));
    expectError(await renamed(eve, { name: 'Support Team' }), 'VALIDATION_FAILED', ['name: reserved']);
    await service.sql("update developers set name = 'Nobody ' || id where id = $1", [eve.id]);
  });
});

describe('two at once on two gateways', () => {
  it('only one of two verified developers gets the name (D325)', async () => {
    await using other = await secondGateway(service);
    for (let round = 0; round < 5; round += 1) {
      const name = unique('Lighthouse');
      const [eve, mallory] = [
        await service.aDeveloper({ name: unique('Eve') }),
        await service.aDeveloper({ name: unique('Mallory') }),
      ];
      const outcomes = await Promise.all([
        service.client.call('rest', 'updateMe', { name }, eve.key),
        other.client.call('rest', 'updateMe', { companyName: `${name.toUpperCase()}™` }, mallory.key),
      ]);
      expect(outcomes.map(({ code }) => code).sort()).toEqual(['VALIDATION_FAILED', null].sort());
    }
  });
});

describe('names that were stored by a former rule or release (D340)', () => {
  it.each([0, skeletonRule - 1])('are computed again by the worker if their rule is %i', async (rule) => {
    const name = unique('Lighthouse');
    const lou = await service.aDeveloper({ name });
    const app = await service.anApp(lou, 'APPROVED', { name: unique('Time Tracker') });
    // As gateways of the former release leave them.
    const age = `set rule = ${rule}, skeleton = 'old'`;
    await service.sql(`update developer_names ${age} where developer_id = $1`, [lou.id]);
    await service.sql(`update app_names ${age} where app_id = $1`, [app.id]);
    const orm = await MikroORM.init(ormOptions(service.databaseUrl, 2));
    try {
      await fillSkeletons(() => orm.em.fork() as EntityManager, new AbortController().signal);
    } finally {
      await orm.close();
    }
    const rows = await service.sql(
      `select skeleton, rule from developer_names where developer_id = $1 and field = 'name'
       union all select skeleton, rule from app_names where app_id = $2`,
      [lou.id, app.id],
    );
    expect(rows).toEqual([
      { skeleton: nameSkeleton(name), rule: skeletonRule },
      { skeleton: nameSkeleton(String(app.name)), rule: skeletonRule },
    ]);
  });

  it('follow every change of a profile, whoever writes it', async () => {
    const { id } = await service.aDeveloper({ name: unique('Lou'), companyName: 'Lou & Co' });
    const names = () =>
      service.sql('select field, name from developer_names where developer_id = $1 order by field', [id]);
    expect(await names()).toMatchObject([{ field: 'companyName', name: 'Lou & Co' }, { field: 'name' }]);
    await service.sql("update developers set name = 'Louise', company_name = null where id = $1", [id]);
    expect(await names()).toEqual([{ field: 'name', name: 'Louise' }]);
  });
});

describe('authors of ratings', () => {
  it('are not called as the marketplace, and an older rating may keep its author (D325)', async () => {
    const { slug, id } = await service.anApp(await service.aDeveloper(), 'APPROVED');
    const token = await service.token(unique('user'));
    const rate = (input: object) => service.call('rateApp', { slug, rating: 4, ...input }, token);
    for (const authorName of ['Marketplace Team', 'Оfficial', 'Orchard'])
      expectError(await rate({ authorName }), 'VALIDATION_FAILED', ['authorName: reserved']);
    expectSuccess(await rate({ authorName: 'Grace H.' }));
    expectError(await rate({ authorName: 'Support' }), 'VALIDATION_FAILED', ['authorName: reserved']);
    await service.sql("update ratings set author_name = 'Support' where app_id = $1", [id]);
    expectSuccess(await rate({ authorName: 'Support', rating: 1 }));
    expectSuccess(await service.call('removeRating', { slug }, token));
    expectError(await rate({ authorName: 'Support' }), 'VALIDATION_FAILED', ['authorName: reserved']);
  });
});

describe('a suspended developer', () => {
  it('neither rates nor reports, by account token, but may take a rating back (D341)', async () => {
    const app = await service.anApp(await service.aDeveloper(), 'APPROVED');
    const rating = await service.aRating(app);
    const eve = await service.aDeveloper();
    const call = (name: 'rateApp' | 'reportRating' | 'removeRating', input: object) =>
      service.call(name, { ...input }, eve.token);
    expectSuccess(await call('rateApp', { slug: app.slug, rating: 5 }));
    await service.administer('suspendDeveloper', { id: eve.id, reason });
    expectError(await call('rateApp', { slug: app.slug, rating: 1 }), 'DEVELOPER_SUSPENDED');
    expectError(await call('reportRating', { id: rating.id, reason }), 'DEVELOPER_SUSPENDED');
    expectSuccess(await call('removeRating', { slug: app.slug }));
    await service.administer('reinstateDeveloper', { id: eve.id });
    expectSuccess(await call('reportRating', { id: rating.id, reason }));
  });
});
