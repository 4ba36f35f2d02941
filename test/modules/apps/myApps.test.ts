import { describe, expect, it } from '@jest/globals';
import type { AppJson } from '../../support/actors.js';
import { type Api, apis } from '../../support/api-client.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { expectSuccess } from '../../support/outcomes.js';
import { startServiceOnLine } from '../../support/service-on-line.js';

const service = duringTests(() => startServiceOnLine());
const line = beforeTests(() => service.line);

const list = (api: Api, bearer: string | null) => service.client.call<AppJson[]>(api, 'myApps', {}, bearer);

describe.each(apis)('myApps over %s', (api) => {
  it("lists all of the caller's apps, newest first, whatever their state, and nobody else's (D17, D27)", async () => {
    const ada = await service.aDeveloper();
    await service.anApp(await service.aDeveloper(), 'APPROVED');
    const apps = [];
    for (const status of ['DRAFT', 'PENDING', 'REJECTED', 'APPROVED', 'SUSPENDED'] as const)
      apps.unshift(await service.anApp(ada, status));
    expect(expectSuccess(await list(api, ada.key))).toEqual(apps);
  });

  it('lists the newer first of two that were created in the same instant (D28)', async () => {
    const ada = await service.aDeveloper();
    const first = await service.anApp(ada);
    const second = await service.anApp(ada);
    await service.sql("update apps set created_at = '2026-01-01' where developer_id = $1", [ada.id]);
    expect((await list(api, ada.key)).data.map(({ id }) => id)).toEqual([second.id, first.id]);
  });

  it('is an empty list for a developer without apps (D1)', async () => {
    expect(expectSuccess(await list(api, (await service.aDeveloper()).key))).toEqual([]);
  });
});

describe('the statements of myApps', () => {
  it('needs as many queries for twenty apps as for two, with all GraphQL fields', async () => {
    const ada = await service.aDeveloper();
    const place = 'review { stage position ahead dueAt etaP50 etaP90 }';
    const actions = 'allowedActions { action allowed code message }';
    const document = `{ myApps { id ${place} ${actions} timeline(first: 5) { totalCount edges { node { kind by changes { field before after } reasons { code } } } }
      messages(last: 5) { totalCount edges { node { author text } } } openVersion { id ${place} ${actions} changes { field before after } } } }`;
    const queries = async (apps: number) => {
      const statements = await line.listenIn(async () => {
        const { myApps } = await service.client.queryData<{ myApps: unknown[] }>(document, {}, ada.token);
        expect(myApps).toHaveLength(apps);
      });
      return statements.filter((statement) => !/pgboss/.test(statement)).length;
    };
    const more = async (pending: number, versions: number) => {
      for (let i = 0; i < pending; i += 1) await service.anApp(ada, 'PENDING');
      for (let i = 0; i < versions; i += 1) {
        const { app } = await service.aVersion(ada, 'PENDING');
        await service.client.must('messageReviewers', { id: app.id, text: 'Hello.' }, ada.token);
      }
    };
    await more(1, 1);
    const forTwo = await queries(2);
    await more(12, 6);
    // The caller, the apps, their developer, places and pace twice (apps and versions), timelines and messages with their lengths, versions, their apps, submissions.
    expect([forTwo, await queries(20)]).toEqual([14, 14]);
  });

  it('shares a statement with other lists that are requested at the same time', async () => {
    const ada = await service.aDeveloper();
    const [first, second] = [await service.anApp(ada), await service.anApp(ada)];
    const names = [{ name: second.name }, { name: first.name }];
    const document = '{ a: myApps { name } b: myApps { name } c: myApps { name } }';
    const statements = await line.listenIn(async () => {
      expect(await service.client.queryData(document, {}, ada.key)).toEqual({ a: names, b: names, c: names });
    });
    expect(statements.filter((statement) => / from apps\b/.test(statement))).toHaveLength(1);
  });

  it('gives each developer their own apps, however many ask at the same time', async () => {
    const developers = await Promise.all(Array.from({ length: 12 }, () => service.aDeveloper()));
    const expected: string[][] = [];
    for (const [at, developer] of developers.entries()) {
      const ids: string[] = [];
      for (let n = 0; n < at % 4; n += 1) ids.unshift((await service.anApp(developer)).id);
      expected.push(ids);
    }
    const asked = [...developers.keys(), ...developers.keys(), ...developers.keys()];
    const lists = await Promise.all(asked.map((at) => list('rest', developers[at]!.key)));
    expect(lists.map(({ data }) => data.map(({ id }) => id))).toEqual(asked.map((at) => expected[at]));
  });
});
