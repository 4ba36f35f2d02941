import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AppJson } from '../../support/actors.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { until } from '../../support/mail-server.js';
import { startService } from '../../support/service.js';

const own = 'https://tasks.example/shop';
const reviewers = 'desk@market.example';

const service = duringTests(() =>
  startService({
    WORKER: 'inline',
    WEB: 'on',
    PUBLIC_URL: own,
    PORTAL_URLS: 'webhooks=https://product.example/hooks',
    REVIEWERS_EMAIL: reviewers,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  }),
);
const developer = beforeTests(() => service.aDeveloper());
const app = beforeTests(() => service.anApp(developer, 'REJECTED'));
beforeAll(async () => {
  const { id } = app;
  await service.client.must('submitApp', { id }, developer.token);
  const { revision } = await service.client.must<AppJson>('myApp', { id }, developer.token);
  await service.administer('approveApp', { id, revision });
  const endpoint = { url: 'https://hooks.example/', events: ['app.approved'] };
  await service.client.must('createWebhookEndpoint', endpoint, developer.token);
  const reason = 'The address of the company is wrong.';
  await service.administer('unverifyDeveloper', { id: developer.id, reason });
});

/** Returns the links of the newest mail of a kind, once it is stored. */
async function linksIn(kind: string, recipient: string): Promise<string[]> {
  const find = () =>
    service.sql<{ html: string }>(
      'select html from mails where kind = $1 and recipient = $2 and html is not null order by created_at desc limit 1',
      [kind, recipient],
    );
  const mail = await until(
    async () => (await find())[0],
    () => `no mail ${kind} to ${recipient}`,
  );
  return [...mail.html.matchAll(/href="([^"]+)"/g)].map(([, url]) => url!);
}

describe('mails of a service with its own pages', () => {
  it.each([
    ['developer.verified', () => '/console/keys'],
    ['developer.unverified', () => '/console/profile'],
    ['app.submitted', () => `/console/apps/${app.id}`],
    ['app.rejected', () => `/console/apps/${app.id}`],
    ['app.approved', () => `/market/apps/${app.slug}`],
  ])('%s links to the page in the browser application (D170)', async (kind, path) => {
    const [link, ...others] = await linksIn(kind, developer.email);
    expect([link, others]).toEqual([own + path(), []]);
    const response = await service.client.request('GET', path());
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
  });

  it('link reviewers to the submission at the desk (D170)', async () => {
    expect(await linksIn('reviewers.notice', reviewers)).toEqual([`${own}/desk/apps/${app.id}`]);
  });

  it('link to the page of the host product where there is one (D170)', async () => {
    expect(await linksIn('webhook.created', developer.email)).toEqual(['https://product.example/hooks']);
  });
});
