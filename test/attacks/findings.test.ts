import { beforeAll, describe, expect, it } from '@jest/globals';
import { type AppJson, type ConnectionJson, unique, type VersionJson } from '../support/actors.js';
import type { Input } from '../support/api-client.js';
import { linesOf } from '../support/audit.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { expectError, expectSuccess } from '../support/outcomes.js';
import { secondGateway, startService } from '../support/service.js';

interface Finding {
  code: string;
  severity: string;
  needsReason: boolean;
  about: { id: string; name: string } | null;
}

let admin: string;
const service = duringTests(() => startService({ ASSET_CHECKS: 'off' }));
const lou = beforeTests(() => service.aDeveloper({ name: 'Lighthouse' }));
const eve = beforeTests(() => service.aDeveloper({ name: 'Eve' }));
beforeAll(async () => {
  admin = await service.admin();
});

const grounds = { acknowledge: ['duplicate'], reason: 'The older app agreed.' };
const approve = (app: Pick<AppJson, 'id' | 'revision'>, input: Input = {}) =>
  service.callAsAdmin('approveApp', { id: app.id, revision: app.revision, ...input });
const approveVersion = ({ id, revision }: VersionJson, input: Input = {}) =>
  service.callAsAdmin('approveAppVersion', { id, revision, ...input });
const findingFields = 'code severity needsReason about { id name }';
const aClone = async (name: string, change: (name: string) => string = (same) => same) => {
  const original = await service.anApp(lou, 'APPROVED', { name });
  return { original, clone: await service.anApp(eve, 'PENDING', { name: change(name) }) };
};
const statusOf = async (id: string) => (await service.administer<AppJson>('adminApp', { id })).status;

describe('approving an app that is called like another one', () => {
  it.each([
    ['exactly', (name: string) => name],
    ['with a Cyrillic letter', (name: string) => name.replace('T', 'Т')],
    ['with a trade mark sign', (name: string) => `${name}™`],
    ['with a raised digit', (name: string) => `${name}²`],
  ])('fails with FINDINGS_OPEN: %s (D326)', async (_, change) => {
    const { clone } = await aClone(unique('Time Tracker'), change);
    const outcome = await approve(clone);
    expectError(outcome, 'FINDINGS_OPEN', ['name: duplicate']);
    expect(await statusOf(clone.id)).toBe('PENDING');
  });

  it('needs both: the code and a reason (D326)', async () => {
    const { clone } = await aClone(unique('Time Tracker'));
    for (const half of [
      { acknowledge: ['duplicate'] },
      { acknowledge: ['duplicate'], reason: '  ' },
      { acknowledge: ['duplicate'], reason: '\u200b' },
      { acknowledge: ['duplicate'], reason: '\u2800 \u3164\n\u{1d159}' },
      { reason: 'It is fine.' },
      { acknowledge: ['missing', 'reserved'], reason: 'It is fine.' },
      { acknowledge: [], reason: 'It is fine.' },
    ])
      expectError(await approve(clone, half), 'FINDINGS_OPEN', ['name: duplicate']);
    const [line] = await linesOf(service, async () => expectSuccess(await approve(clone, grounds)));
    expect(line).toMatchObject({
      kind: 'app.approved',
      data: { note: null, acknowledged: ['duplicate'], acknowledgementReason: grounds.reason },
    });
  });

  it('does not tell the developer why: neither the timeline nor events nor the record of the decision (D326)', async () => {
    const { clone } = await aClone(unique('Time Tracker'));
    expectSuccess(await approve(clone, { ...grounds, note: 'Welcome.' }));
    const seen = await service.client.queryData(
      `query ($id: ID!) {
        myApp(id: $id) { timeline(last: 5) { edges { node { message changes { after } } } }
          submissions(first: 5) { edges { node { note } } } }
        events(first: 100) { edges { node { type data } } }
      }`,
      { id: clone.id },
      eve.token,
    );
    expect(JSON.stringify(seen)).toContain('Welcome.');
    expect(JSON.stringify(seen)).not.toContain(grounds.reason);
  });

  it('needs nothing for one of the same developer, and none that was not public (D326)', async () => {
    const name = unique('Time Tracker');
    await service.anApp(lou, 'APPROVED', { name });
    expectSuccess(await approve(await service.anApp(lou, 'PENDING', { name })));
    const other = unique('Focus Mode');
    await service.anApp(lou, 'PENDING', { name: other });
    await service.anApp(lou, 'SUSPENDED', { name: other });
    expectSuccess(await approve(await service.anApp(eve, 'PENDING', { name: other }), {}));
  });

  it('blocks neither the preflight nor the submission, and the finding leads to the other app (D326)', async () => {
    const name = unique('Time Tracker');
    const original = await service.anApp(lou, 'APPROVED', { name });
    const draft = await service.anApp(eve, 'DRAFT', { name });
    const { preflight } = await service.client.queryData<{
      preflight: { ready: boolean; findings: Finding[] };
    }>(
      `query ($id: ID!) { preflight(id: $id) { ready findings { ${findingFields} } } }`,
      { id: draft.id },
      eve.token,
    );
    expect(preflight.ready).toBe(true);
    expect(preflight.findings.filter(({ needsReason }) => needsReason)).toEqual([
      { code: 'duplicate', severity: 'WARNING', needsReason: true, about: { id: original.id, name } },
    ]);
    expect(preflight.findings.filter(({ code }) => code === 'missing')).toMatchObject([
      { needsReason: false, about: null },
    ]);
    await service.must('submitApp', { id: draft.id }, eve.token);
    const { reviewItem } = await service.client.queryData<{ reviewItem: { findings: Finding[] } }>(
      `query ($id: ID!) { reviewItem(id: $id) { findings { ${findingFields} } } }`,
      { id: draft.id },
      admin,
    );
    expect(reviewItem.findings).toEqual(preflight.findings);
  });

  it('keeps the finding in the record of the decision, whose link ends when the other app does (D326)', async () => {
    const { original, clone } = await aClone(unique('Time Tracker'));
    expectSuccess(await approve(clone, grounds));
    const read = async () => {
      const { adminApp } = await service.client.queryData<{
        adminApp: { submissions: ConnectionJson<{ findings: Finding[] }> };
      }>(
        `query ($id: ID!) { adminApp(id: $id) { submissions(first: 1) { edges { node { findings { ${findingFields} } } } } } }`,
        { id: clone.id },
        admin,
      );
      return adminApp.submissions.edges[0]!.node.findings.find(({ code }) => code === 'duplicate');
    };
    expect(await read()).toMatchObject({ needsReason: true, about: { id: original.id } });
    await service.administer('suspendApp', { id: original.id, reason: 'It misbehaves.' });
    expect(await read()).toMatchObject({ needsReason: true, about: null });
  });

  it('checks what is public now, not what the reviewer has seen (D326)', async () => {
    const name = unique('Time Tracker');
    const clone = await service.anApp(eve, 'PENDING', { name });
    const original = await service.anApp(lou, 'PENDING', { name });
    expectSuccess(await approve(original));
    expectError(await approve(clone), 'FINDINGS_OPEN', ['name: duplicate']);
    await service.administer('suspendApp', { id: original.id, reason: 'It misbehaves.' });
    expectSuccess(await approve(clone));
  });

  it('also for the name of the marketplace itself (D325, D326)', async () => {
    const app = await service.anApp(eve, 'PENDING', { name: 'Marketplace Support' });
    expectError(await approve(app), 'FINDINGS_OPEN', ['name: reserved']);
    expectError(await approve(app, grounds), 'FINDINGS_OPEN', ['name: reserved']);
    expectSuccess(await approve(app, { ...grounds, acknowledge: ['reserved'] }));
  });
});

describe('approving a version that takes the name of another app', () => {
  const aRename = async (name: string) => {
    const app = await service.anApp(eve, 'APPROVED', { name: unique('Innocent') });
    const version = await service.must<VersionJson>('createAppVersion', { appId: app.id, name }, eve.token);
    return service.must<VersionJson>('submitAppVersion', { id: version.id }, eve.token);
  };

  it('fails with FINDINGS_OPEN unless it is acknowledged (D326)', async () => {
    const name = unique('Time Tracker');
    await service.anApp(lou, 'APPROVED', { name });
    const version = await aRename(`${name}™`);
    expectError(await approveVersion(version), 'FINDINGS_OPEN', ['name: duplicate']);
    const [line] = await linesOf(service, async () => expectSuccess(await approveVersion(version, grounds)));
    expect(line).toMatchObject({
      kind: 'version.approved',
      data: { acknowledged: ['duplicate'], acknowledgementReason: grounds.reason },
    });
  });

  it('is compared with names of versions that were just approved (D326)', async () => {
    const name = unique('Time Tracker');
    expectSuccess(await approveVersion(await aRename(name)));
    const clone = await service.anApp(lou, 'PENDING', { name: `${name}²` });
    expectError(await approve(clone), 'FINDINGS_OPEN', ['name: duplicate']);
  });
});

describe('two administrators on two gateways', () => {
  it('approve two apps of one name at once: exactly one passes without a reason (D326)', async () => {
    await using other = await secondGateway(service, { ASSET_CHECKS: 'off' });
    const second = await other.admin();
    for (let round = 0; round < 5; round += 1) {
      const name = unique('Time Tracker');
      const [one, two] = [
        await service.anApp(lou, 'PENDING', { name }),
        await service.anApp(eve, 'PENDING', { name: `${name}™` }),
      ];
      const outcomes = await Promise.all([
        approve(one),
        other.call('approveApp', { id: two.id, revision: two.revision }, second),
      ]);
      expect(outcomes.map(({ code }) => code ?? 'OK').sort()).toEqual(['FINDINGS_OPEN', 'OK']);
    }
  });
});
