import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { pino } from 'pino';
import { ormOptions } from '../../mikro-orm.config.js';
import { DEMO_ACCOUNTS } from '../auth/demo-accounts.js';
import { PipelineTokens } from '../auth/pipeline-token.js';
import { type Config, loadConfig } from '../config.js';
import { Reader } from '../db/reader.js';
import { SecretCipher } from '../db/secrets.js';
import { type JobQueue, Jobs } from '../jobs.js';
import { recordAdministrator } from '../modules/audit/administrator.service.js';
import { Developer } from '../modules/developers/developer.entity.js';
import { App, AppStatus } from '../modules/listings/app.entity.js';
import { AssetCheckService } from '../modules/preflight/asset-check.service.js';
import { AssetChecker } from '../modules/preflight/asset-checker.service.js';
import { Submission } from '../modules/review/submission.entity.js';
import { AddressGuard } from '../net/address-guard.js';
import { createServices, type Services } from '../services.js';
import { addActs } from './demo-acts.js';
import { DemoClock } from './demo-clock.js';
import { addInstalls } from './demo-installs.js';
import { DemoUrls, pictureReader } from './demo-pictures.js';
import { addRatings } from './demo-ratings.js';
import { DemoTimeline } from './demo-timeline.js';

interface DemoOptions {
  databaseUrl: string;
  /** The service's address for clients, at which the pictures are served. */
  publicUrl: string;
}

/** Fills an empty marketplace with demo data; does nothing if there are developers. */
export async function seedDemo({ databaseUrl, publicUrl }: DemoOptions): Promise<void> {
  const log = pino({ level: 'silent' });
  const orm = await MikroORM.init(ormOptions(databaseUrl, 2, { purpose: 'tools' }));
  const reader = new Reader({ url: databaseUrl, max: 2, log });
  const jobs = await Jobs.open(databaseUrl, log);
  try {
    await orm.em.fork().transactional(async (em) => {
      await em.execute('lock table developers in exclusive mode');
      if ((await em.count(Developer)) === 0) await seed(em, { reader, jobs, publicUrl });
    });
  } finally {
    await jobs.close();
    await reader.close();
    await orm.close();
  }
}

interface Parts {
  reader: Reader;
  jobs: Jobs;
  publicUrl: string;
}

/** Creates the data through the services, so that it obeys all rules; only figures are written as SQL. */
async function seed(em: EntityManager, { reader, jobs, publicUrl }: Parts): Promise<void> {
  const clock = new DemoClock(em);
  const recentJobs: JobQueue = {
    // Nobody expects mails about events of the last weeks.
    enqueue: async (...job) => (clock.isRecent ? jobs.enqueue(...job) : undefined),
  };
  const services = demoServices(em, { reader, jobs: recentJobs, publicUrl });
  const timeline = new DemoTimeline(services, new DemoUrls(publicUrl));
  addActs(timeline);
  await timeline.run(clock);
  for (const { accountUserId, name, admin } of Object.values(DEMO_ACCOUNTS))
    if (admin) await recordAdministrator(accountUserId, name).execute(em.getKysely());
  await addInstalls(em, timeline.apps);
  await addRatings(em, clock, timeline);
  await checkPictures(em, jobs);
}

function demoServices(
  em: EntityManager,
  { reader, jobs, publicUrl }: Omit<Parts, 'jobs'> & { jobs: JobQueue },
): Services {
  const config = loadConfig({});
  return createServices(em, {
    reader,
    searchReader: reader,
    replicas: null,
    jobs,
    // The pictures are checked at the end, by `checkPictures`.
    config: { ...config, assetChecks: 'off', rateLimits: null, quotas: noQuotas(config.quotas) },
    requestId: () => 'demo',
    publicUrl,
    assetChecker: new AssetChecker(pictureReader),
    guard: new AddressGuard(),
    cipher: new SecretCipher([]),
    installBatcher: null,
    pageIndex: null,
    pipelineTokens: new PipelineTokens([], publicUrl),
  });
}

/** Spares the queries that count: the demo data is far below all quotas. */
const noQuotas = (quotas: Config['quotas']): Config['quotas'] =>
  Object.fromEntries(Object.keys(quotas).map((name) => [name, 0])) as Config['quotas'];

/** Checks the pictures of waiting submissions and of public apps, so that reviewers see the findings, also of copies. */
async function checkPictures(em: EntityManager, jobs: Jobs): Promise<void> {
  const checks = new AssetCheckService(em, jobs, new AssetChecker(pictureReader), 'warn');
  for (const { id, revision } of await em.find(App, { status: AppStatus.APPROVED }))
    await checks.work({ data: { appId: id, versionId: null, revision } });
  const waiting = await em.find(Submission, { endedAt: null }, { populate: ['app', 'version'] });
  for (const { app, version } of waiting) {
    const { revision } = version?.getEntity() ?? app.getEntity();
    await checks.work({ data: { appId: app.id, versionId: version?.id ?? null, revision } });
  }
}
