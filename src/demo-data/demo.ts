import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { pino } from 'pino';
import { ormOptions } from '../../mikro-orm.config.js';
import type { DeveloperCaller } from '../auth/caller.js';
import { DEMO_ACCOUNTS } from '../auth/demo-accounts.js';
import { loadConfig } from '../config.js';
import { Reader } from '../db/reader.js';
import { SecretCipher } from '../db/secrets.js';
import { Jobs } from '../jobs.js';
import type { App } from '../modules/apps/app.entity.js';
import { RejectionCode } from '../modules/apps/rejection.types.js';
import { Developer } from '../modules/developers/developer.entity.js';
import { AssetChecker } from '../modules/preflight/asset-checker.service.js';
import { AddressGuard } from '../net/address-guard.js';
import { GuardedFetcher } from '../net/guarded-fetch.js';
import { createServices, type Services } from '../services.js';
import { type DemoApp, type DemoDeveloper, demoApps, demoDevelopers } from './demo-data.js';
import { installDemo, rateDemo } from './demo-figures.js';

/** Fills an empty marketplace with demo data; does nothing if there are developers. */
export async function seedDemo({ databaseUrl }: { databaseUrl: string }): Promise<void> {
  const log = pino({ level: 'silent' });
  const orm = await MikroORM.init(ormOptions(databaseUrl, 2));
  const reader = new Reader(databaseUrl, 2, log);
  const jobs = await Jobs.open(databaseUrl, log);
  try {
    await orm.em.fork().transactional(async (em) => {
      await em.execute('lock table developers in exclusive mode');
      if ((await em.count(Developer)) === 0) await seed(em, reader, jobs);
    });
  } finally {
    await jobs.close();
    await reader.close();
    await orm.close();
  }
}

const administrator = {
  kind: 'account',
  accountUserId: DEMO_ACCOUNTS.administrator.accountUserId,
  isAdmin: true,
  email: null,
  name: null,
  developer: null,
} as const;

/** Creates the data through the services, so that it obeys all rules. */
async function seed(em: EntityManager, reader: Reader, jobs: Jobs): Promise<void> {
  const services = createServices(em, {
    reader,
    jobs,
    // No pictures are checked: the addresses of the demo data do not exist.
    config: { ...loadConfig({}), assetChecks: 'off', rateLimits: null },
    requestId: () => 'demo',
    assetChecker: new AssetChecker(new GuardedFetcher()),
    guard: new AddressGuard(),
    cipher: new SecretCipher([]),
    installBatcher: null,
    pageIndex: null,
  });
  const callers = new Map<string, DeveloperCaller>();
  for (const developer of demoDevelopers)
    callers.set(developer.accountUserId, await registerDemoDeveloper(services, em, developer));
  const installs = new Map<string, number>();
  for (const app of demoApps)
    installs.set((await createDemoApp(services, em, callers.get(app.owner)!, app)).id, app.installs);
  await installDemo(em, installs);
  await rateDemo(services, em, callers.get('demo-developer')!);
}

async function registerDemoDeveloper(
  { developers, developerAdmin }: Services,
  em: EntityManager,
  { verified, ...demo }: DemoDeveloper,
): Promise<DeveloperCaller> {
  const { accountUserId } = demo;
  const account = {
    kind: 'account',
    accountUserId,
    isAdmin: false,
    email: null,
    name: null,
    developer: null,
  } as const;
  const developer = await developers.register(account, {
    ...demo,
    email: `${accountUserId}@example.com`,
    websiteUrl: `https://${accountUserId}.example`,
  });
  if (verified) await developerAdmin.verify(administrator, developer.id);
  await em.flush();
  return { ...account, developer: { id: developer.id, status: developer.status } };
}

async function createDemoApp(
  { apps, review }: Services,
  em: EntityManager,
  caller: DeveloperCaller,
  demo: DemoApp,
): Promise<App> {
  const { owner, stage, installs: _, ...listing } = demo;
  const app = await apps.create(caller, {
    ...listing,
    ...demoPictures(owner, demo.name),
    longDescription: `# ${demo.name}\n\n${demo.description}`,
  });
  await em.flush();
  if (stage !== 'draft') await apps.submit(caller, app.id);
  if (stage === 'rejected')
    await review.reject(administrator, { id: app.id, revision: app.revision, ...rejection });
  if (stage === 'live' || stage === 'featured') await publish(review, app, stage === 'featured');
  await em.flush();
  return app;
}

async function publish(review: Services['review'], { id, revision }: App, featured: boolean): Promise<void> {
  await review.approve(administrator, { id, revision });
  if (featured) await review.feature(administrator, id, true);
}

const demoPictures = (owner: string, name: string) => {
  const picture = (file: string) =>
    `https://${owner}.example/${name.toLowerCase().replaceAll(' ', '-')}/${file}.png`;
  return {
    logoUrl: picture('logo'),
    websiteUrl: `https://${owner}.example`,
    screenshots: [
      { url: picture('board'), caption: 'The board' },
      { url: picture('settings'), caption: 'The settings' },
    ],
  };
};

const rejection = {
  reasons: [
    {
      code: RejectionCode.INCOMPLETE,
      field: 'description',
      message: 'It does not say which chat products are supported.',
    },
  ],
  guidance: 'Name the chat products in the description, then submit again.',
};
