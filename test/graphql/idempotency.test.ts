import { beforeAll, describe, expect, it } from '@jest/globals';
import { aListing, atOnce, type Developer, type Json, unique } from '../support/actors.js';
import { duringTests } from '../support/before-tests.js';
import { startService } from '../support/service.js';

let ada: Developer;
let eve: Developer;
const service = duringTests(() => startService({ DATABASE_POOL: '40', QUOTA_IDEMPOTENCY_KEYS: '100' }));
beforeAll(async () => {
  [ada, eve] = [await service.aDeveloper(), await service.aDeveloper()];
});

const CREATE = 'mutation ($input: CreateAppInput!) { createApp(input: $input) { id name status } }';

interface Sent {
  query: string;
  variables?: Record<string, unknown>;
  key: string | null;
  bearer?: string | null;
}

/** Sends a document with an Idempotency-Key; null for none. */
async function send({ query, variables = {}, key, bearer = ada.token }: Sent) {
  const response = await service.client.request('POST', '/graphql', {
    bearer,
    body: { query, variables },
    headers: key === null ? {} : { 'idempotency-key': key },
  });
  const { data, errors } = (await response.json()) as { data?: Json; errors?: Json[] };
  const error = errors?.[0]?.extensions as { code: string; details?: { code: string }[] } | undefined;
  return {
    data,
    code: error ? [error.code, ...(error.details ?? []).map(({ code }) => code)].join(' ') : null,
    message: errors?.[0]?.message,
    isReplayed: response.headers.get('idempotent-replayed') === 'true',
  };
}
const aCreation = () => ({ query: CREATE, variables: { input: aListing({ name: unique('App') }) } });
const appsNamed = async (name: unknown) =>
  (await service.sql<{ id: string }>('select id from apps where name = $1', [name])).map(({ id }) => id);

describe('a mutation with an Idempotency-Key (D425)', () => {
  it('is run once; the second response has what the first one made', async () => {
    const creation = aCreation();
    const key = unique('key');
    const first = await send({ ...creation, key });
    const second = await send({ ...creation, key });
    expect([first.code, first.isReplayed]).toEqual([null, false]);
    expect([second.code, second.isReplayed]).toEqual([null, true]);
    expect(second.data).toEqual(first.data);
    expect(await appsNamed(creation.variables.input.name)).toHaveLength(1);
  });

  it('is run once by twenty callers at the same time', async () => {
    const creation = aCreation();
    const key = unique('key');
    const all = await atOnce(20, () => send({ ...creation, key }));
    const [id] = await appsNamed(creation.variables.input.name);
    const ids = all.flatMap(({ data }) => (data?.createApp ? [(data.createApp as Json).id] : []));
    expect(new Set(ids)).toEqual(new Set([id]));
    expect(new Set(all.map(({ code }) => code).filter(Boolean))).toEqual(
      new Set(all.length > ids.length ? ['IDEMPOTENCY_CONFLICT in_progress'] : []),
    );
  });

  it('can be repeated with another selection, and has the present state', async () => {
    const { variables } = aCreation();
    const key = unique('key');
    const first = await send({ query: CREATE, variables, key });
    const { id } = first.data!.createApp as { id: string };
    await service.must('updateApp', { id, description: 'Another description.' }, ada.token);
    const query =
      'mutation ($input: CreateAppInput!) { createApp(input: $input) { id description developer { id } } }';
    const { data, isReplayed } = await send({ query, variables, key });
    expect(isReplayed).toBe(true);
    expect(data!.createApp).toEqual({ id, description: 'Another description.', developer: { id: ada.id } });
  });

  it('with another input is a conflict', async () => {
    const key = unique('key');
    await send({ ...aCreation(), key });
    const other = aCreation();
    expect((await send({ ...other, key })).code).toBe('IDEMPOTENCY_CONFLICT other_body');
    expect(await appsNamed(other.variables.input.name)).toEqual([]);
  });

  it('of another caller or operation, or by REST, is another one', async () => {
    const creation = aCreation();
    const key = unique('key');
    const ids = new Set([
      ((await send({ ...creation, key })).data!.createApp as Json).id,
      ((await send({ ...creation, key, bearer: eve.token })).data!.createApp as Json).id,
    ]);
    const response = await service.client.request('POST', '/api/dev/apps', {
      bearer: ada.key,
      body: creation.variables.input,
      headers: { 'idempotency-key': key },
    });
    ids.add(((await response.json()) as Json).id as string);
    expect(ids.size).toBe(3);
    const rename = 'mutation ($id: ID!) { updateApp(id: $id, input: { description: "New." }) { id } }';
    expect(await send({ query: rename, variables: { id: [...ids][0] }, key })).toMatchObject({
      code: null,
      isReplayed: false,
    });
  });

  it('that makes a webhook endpoint or a new secret says which one', async () => {
    const url = `https://example.com/${unique('hook')}`;
    const make = `mutation { createWebhookEndpoint(input: { url: "${url}" }) { id secret } }`;
    const key = unique('key');
    const { id } = (await send({ query: make, key })).data!.createWebhookEndpoint as { id: string };
    const rotate = `mutation { rotateWebhookSecret(id: "${id}") { secret } }`;
    expect((await send({ query: rotate, key })).code).toBe(null);
    for (const query of [make, rotate]) {
      const { code, message } = await send({ query, key });
      expect(code).toBe('IDEMPOTENCY_CONFLICT shown_once');
      expect(message).toContain(`a secret of the webhook endpoint ${url} (id ${id})`);
    }
  });

  it('that shows a secret is not repeated, and no secret is stored', async () => {
    const key = unique('key');
    const query = `mutation { createApiKey(input: { name: "${key}", scopes: [APP_READ] }) { key } }`;
    const first = await send({ query, key });
    expect(first.code).toBe(null);
    const second = await send({ query, key });
    expect([second.code, second.data]).toEqual(['IDEMPOTENCY_CONFLICT shown_once', null]);
    expect(second.message).toMatch(/created the API key mkt_/);
    const [stored] = await service.sql<{ text: string }>(
      'select string_agg(r::text, $1) as text from stored_responses r',
      ['\n'],
    );
    expect(stored!.text).not.toContain((first.data!.createApiKey as { key: string }).key);
  });

  it('that counts an install counts it once', async () => {
    const { slug } = await service.anApp(ada, 'APPROVED');
    const query = 'mutation ($slug: String!) { recordInstall(slug: $slug) { slug installCount } }';
    const key = unique('key');
    const request = { query, variables: { slug }, key, bearer: null };
    const first = await send(request);
    expect(first.data!.recordInstall).toEqual({ slug, installCount: 1 });
    expect(await send(request)).toMatchObject({ data: first.data, isReplayed: true });
    const [row] = await service.sql<{ count: number }>(
      'select install_count::int as count from app_figures f join apps a using (id) where a.slug = $1',
      [slug],
    );
    expect(row!.count).toBe(1);
  });

  it('whose result has been deleted says that it was handled', async () => {
    const creation = aCreation();
    const key = unique('key');
    const { id } = (await send({ ...creation, key })).data!.createApp as { id: string };
    await service.must('deleteApp', { id }, ada.token);
    expect((await send({ ...creation, key })).code).toBe('IDEMPOTENCY_CONFLICT handled');
  });

  it('that failed is not stored', async () => {
    const creation = aCreation();
    const key = unique('key');
    const wrong = { query: CREATE, variables: { input: { ...creation.variables.input, name: '' } }, key };
    expect((await send(wrong)).code).toMatch(/^VALIDATION_FAILED/);
    expect((await send({ ...creation, key })).code).toBe(null);
  });

  it('is checked like any other: the key, and the credential each time', async () => {
    expect((await send({ ...aCreation(), key: 'x'.repeat(256) })).code).toBe(
      'VALIDATION_FAILED invalid_header',
    );
    const creation = aCreation();
    const key = unique('key');
    await send({ ...creation, key });
    expect((await send({ ...creation, key, bearer: null })).code).toBe('UNAUTHENTICATED');
  });

  it.each([
    ['two mutations', '{ createApp(input: $input) { id } deleteApp(id: "x") { id } }'],
    ['one mutation twice', '{ a: createApp(input: $input) { id } b: createApp(input: $input) { id } }'],
  ])('is not possible for %s in a document', async (_, selection) => {
    const { variables } = aCreation();
    const query = `mutation ($input: CreateAppInput!) ${selection}`;
    const { code, message } = await send({ query, variables, key: 'k' });
    expect([code, message]).toEqual([
      'VALIDATION_FAILED',
      'With an Idempotency-Key a document has one mutation. Send the others in requests of their own.',
    ]);
  });

  it('may select the name of its type', async () => {
    const { variables } = aCreation();
    const query = CREATE.replace('{ createApp', '{ __typename createApp');
    expect((await send({ query, variables, key: unique('key') })).code).toBe(null);
  });

  it('that only changes something ignores the key: what it returns is not read for those who may no longer see it', async () => {
    const { slug } = await service.anApp(eve, 'APPROVED');
    const key = unique('key');
    const rate = {
      query: 'mutation ($slug: String!) { rateApp(slug: $slug, input: { rating: 2 }) { id } }',
      variables: { slug },
      key,
    };
    const remove = {
      query: 'mutation ($slug: String!) { removeRating(slug: $slug) { id } }',
      variables: { slug },
      key,
    };
    const { id } = (await send(rate)).data!.rateApp as { id: string };
    await service.must('reportRating', { id, reason: 'SPAM' }, await service.token(unique('reader')));
    expect((await send(remove)).code).toBe(null);
    expect(await send(remove)).toMatchObject({ code: 'NOT_FOUND', isReplayed: false });
    const again = await send(rate);
    expect(again.isReplayed).toBe(false);
    expect((again.data!.rateApp as { id: string }).id).not.toBe(id);
  });

  it('is rejected with a code of its own if too many keys are stored', async () => {
    const developer = await service.aDeveloper();
    await service.sql(
      `insert into stored_responses (id, body_hash, status, body, developer_id, created_at)
       select sha256(($1 || n)::bytea), sha256('x'), 200, '{}', $1::uuid, now() from generate_series(1, 100) n`,
      [developer.id],
    );
    const creation = { ...aCreation(), bearer: developer.token };
    expect((await send({ ...creation, key: unique('key') })).code).toBe('QUOTA_EXCEEDED too_many_keys');
    expect((await send({ ...creation, key: null })).code).toBe(null);
  });

  it('does not matter for a query', async () => {
    const query = '{ a: categories { category } b: categories { category } }';
    expect((await send({ query, key: 'k' })).code).toBe(null);
  });
});
