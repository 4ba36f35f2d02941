import { beforeAll, describe, expect, it } from '@jest/globals';
import { assertObjectType, type GraphQLSchema, getNamedType, isLeafType } from 'graphql';
import { buildGraphQLSchema } from '../../../src/graphql/schema.js';
import { publishedFields } from '../../../src/rest/serializer.js';
import type { AppJson } from '../../support/actors.js';
import { type Service, sharedService } from '../../support/service.js';

let service: Service;
let schema: GraphQLSchema;
beforeAll(async () => {
  schema = await buildGraphQLSchema();
  service = await sharedService();
});

const bodyOf = async (path: string, bearer?: string) =>
  (await service.client.request('GET', path, bearer ? { bearer } : {})).text();

/** Writes the fields that a type publishes in REST, in their order. */
const inOrder = (type: string, values: Record<string, unknown>) =>
  JSON.stringify(
    Object.fromEntries(
      publishedFields(assertObjectType(schema.getType(type))).map(({ name }) => [name, values[name]]),
    ),
  );

const texts = [
  ['quotes and backslashes', 'a "quoted" \\ C:\\temp \\u0041 \\" /'],
  ['control characters', 'tab\t line\n return\r end'],
  ['separators that JavaScript once forbade', 'line\u2028 paragraph\u2029 end'],
  ['other scripts and emoji', 'Ünïcödé 日本語 العربية 👩‍👩‍👧‍👦 𝒜'],
  ['markup', '<script>alert(1)</script> &amp; </title>'],
] as const;

describe('the bytes of an app in REST (D2, D17)', () => {
  it.each(texts)('are those of its fields, in the order of the schema: %s', async (_, longDescription) => {
    const companyName = longDescription.replace(/[\p{C}\u2028\u2029]/gu, ' ').trim();
    const developer = await service.aDeveloper({ name: 'Ada', companyName });
    const screenshots = [
      { url: 'https://pictures.example/1.png', caption: null, order: 0 },
      { url: 'https://pictures.example/2.png', caption: 'Two', order: 7 },
    ];
    const { id, slug } = await service.anApp(developer, 'APPROVED', { longDescription, screenshots });
    await service.aRating({ slug }, { rating: 4 });
    await service.aRating({ slug }, { rating: 3 });
    await service.client.must('recordInstall', { slug, installationId: 'somewhere' });
    const app = JSON.parse(await bodyOf(`/api/dev/apps/${id}`, developer.key)) as AppJson;
    const own = { ...app, longDescription, screenshots, installCount: 1, reviewCount: 2, averageRating: 3.5 };
    expect(await bodyOf('/api/dev/apps', developer.key)).toBe(`{"apps":[${inOrder('App', own)}]}`);
    const shown = { ...own, developer: { name: 'Ada', companyName, websiteUrl: null } };
    expect(await bodyOf(`/api/apps/${slug}`)).toBe(inOrder('PublicApp', shown));
  });
});

/** All fields that REST publishes, and of GraphQL what the rows have besides. */
const allFields = () => {
  const leaves = publishedFields(assertObjectType(schema.getType('App'))).filter((field) =>
    isLeafType(getNamedType(field.type)),
  );
  return `${leaves.map(({ name }) => name).join(' ')} developer { id } screenshots { url caption order }
    rejection { reasons { code field message addressed } guidance rejectedAt }`;
};

it('an app is the same in a list as alone, in every state and at both doors (D2)', async () => {
  const { key, token, ...grace } = await service.aDeveloper();
  for (const status of ['DRAFT', 'PENDING', 'REJECTED', 'APPROVED', 'SUSPENDED'] as const)
    await service.anApp({ ...grace, key, token }, status);
  const listed = await bodyOf('/api/dev/apps', key);
  const { apps } = JSON.parse(listed) as { apps: AppJson[] };
  const [suspended, , rejected] = apps;
  await service.client.must('addressReason', { id: rejected!.id, reason: 0, addressed: true }, token);
  await service.administer('restoreApp', { id: suspended!.id });

  const alone = [];
  for (const { id } of apps) alone.push(await bodyOf(`/api/dev/apps/${id}`, key));
  expect(await bodyOf('/api/dev/apps', key)).toBe(`{"apps":[${alone.join(',')}]}`);
  const aliases = apps.map(({ id }, at) => `app${at}: myApp(id: "${id}") { ${allFields()} }`);
  const { list, ...one } = await service.client.queryData<Record<string, unknown>>(
    `{ list: myApps { ${allFields()} } ${aliases.join(' ')} }`,
    {},
    token,
  );
  expect(list).toEqual(Object.values(one));
});
