import { describe, expect, it } from '@jest/globals';
import { type AppJson, aListing, unique } from '../../support/actors.js';
import { type Api, apis, type Input } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { copiesOf } from '../../support/copies.js';
import { sharedService } from '../../support/service.js';

const service = beforeTests(sharedService);
const ada = beforeTests(() => service.aDeveloper());

const create = (api: Api, fields: Input = {}, bearer: string | null = ada.key) =>
  service.client.call<AppJson>(api, 'createApp', aListing({ name: unique('App'), ...fields }), bearer);

describe.each(apis)('the slug that createApp gives over %s', (api) => {
  /** Slugs of apps created one after the other. */
  const slugsOf = async (...names: string[]) => {
    const slugs: string[] = [];
    for (const name of names) slugs.push((await create(api, { name })).data.slug);
    return slugs;
  };
  /** A word that no other case uses. */
  const word = () => unique('w').replaceAll('-', '');

  it.each([
    ['accents', 'Crème Brûlée', 'creme-brulee'],
    ['letters that do not come apart', 'Große Œuvre Łódź', 'grosse-oeuvre-lodz'],
    ['punctuation and case', '  Hello, WORLD!! (2nd) ', 'hello-world-2nd'],
    ['other scripts between', 'Задачи Kanban 看板', 'kanban'],
    ['compatibility forms', 'ＦＵＬＬ ﬁle ①', 'full-file-1'],
  ])('comes from the name: %s (D21)', async (_what, name, slug) => {
    const stem = word();
    expect(await slugsOf(`${stem} ${name}`)).toEqual([`${stem}-${slug}`]);
  });

  it('is "app" for a name without any ASCII letter or digit, numbered on a conflict (D21)', async () => {
    const [first, second] = await slugsOf('Задачи', '🦊🦊');
    expect(first).toMatch(/^app(-\d+)?$/);
    expect(second).toMatch(/^app-\d+$/);
    expect(second).not.toBe(first);
  });

  it('gets -2, -3 and so on when any app has it (D21)', async () => {
    const stem = word();
    expect(await slugsOf(stem, stem.toUpperCase(), `${stem}!`)).toEqual([stem, `${stem}-2`, `${stem}-3`]);
    const other = await service.aDeveloper();
    expect((await create(api, { name: stem }, other.key)).data.slug).toBe(`${stem}-4`);
  });

  it('skips a numbered slug that another app has (D21)', async () => {
    const stem = word();
    expect(await slugsOf(`${stem} 2`, stem, stem)).toEqual([`${stem}-2`, stem, `${stem}-3`]);
  });

  it('has at most 60 characters, its number included, and ends in none but a letter or digit (D21)', async () => {
    const stem = word();
    const name = `${stem} ${'x'.repeat(100 - stem.length - 1)}`;
    const [first, second] = await slugsOf(name, name);
    expect(first).toBe(`${stem}-${'x'.repeat(60 - stem.length - 1)}`);
    expect(second).toBe(`${first!.slice(0, 58)}-2`);
    const cut = `${stem}-${'y'.repeat(58 - stem.length)}`;
    expect(cut).toHaveLength(59);
    expect(await slugsOf(`${cut} more`, `${cut} much`)).toEqual([cut, `${cut.slice(0, 58)}-2`]);
  });

  it.each(['Featured', 'categories', 'LIST', 'Install!'])(
    'is never the reserved word in %j, which gets a number (D21)',
    async (name) => {
      const word = name.toLowerCase().replace('!', '');
      const [slug] = await slugsOf(name);
      expect(slug).toBe(api === 'rest' ? `${word}-2` : `${word}-3`);
    },
  );

  it('is free again once a draft is deleted, and not while an app is public (D21)', async () => {
    const name = word();
    const { id } = (await create(api, { name })).data;
    await service.client.must('deleteApp', { id }, ada.key);
    expect(await slugsOf(name)).toEqual([name]);
    const live = word();
    await service.anApp(ada, 'SUSPENDED', { name: live });
    expect(await slugsOf(live)).toEqual([`${live}-2`]);
  });

  it('counts on beyond fifty used slugs (D21)', async () => {
    const name = word();
    const { id } = (await create(api, { name })).data;
    await copiesOf(service, id, 59, { slug: "a.slug || '-' || n + 1" });
    expect(await slugsOf(name)).toEqual([`${name}-61`]);
  });

  it('stays when the app is renamed (D21)', async () => {
    const name = word();
    const { id } = (await create(api, { name })).data;
    const renamed = await service.client.call<AppJson>(api, 'updateApp', { id, name: word() }, ada.key);
    expect(renamed.data.slug).toBe(name);
    expect(await slugsOf(name)).toEqual([`${name}-2`]);
  });
});
