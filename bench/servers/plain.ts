// Baseline `plain`: the stack of the gateway, used as its manuals show: Express, Apollo and type-graphql on MikroORM entities.
import 'reflect-metadata';
import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { ApolloServer } from '@apollo/server';
import { expressMiddleware } from '@as-integrations/express5';
import { LockMode, raw, ref } from '@mikro-orm/core';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import express, { type Express } from 'express';
import { Arg, buildSchema, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import { exitWithParent } from '../child.js';
import {
  ApiKey,
  App,
  AppFilter,
  AppPage,
  Developer,
  Installation,
  InstallReceipt,
  RecordInstallInput,
} from './plain.entities.js';

exitWithParent();

const orm = await MikroORM.init({
  clientUrl: process.argv[2] ?? '',
  entities: [Developer, App, Installation, ApiKey],
  pool: { min: 0, max: 16 },
});
const fork = () => orm.em.fork();

const popular = { installCount: 'desc', approvedAt: 'desc', id: 'asc' } as const;
const published = { status: 'APPROVED', developer: { status: { $ne: 'SUSPENDED' } } };

async function browse(em: EntityManager, filter: AppFilter, page: number, limit: number): Promise<AppPage> {
  const { search, ...exact } = filter;
  const [apps, total] = await em.findAndCount(
    App,
    { ...published, ...exact, ...(search && { search: { $fulltext: search } }) },
    { orderBy: popular, limit, offset: (page - 1) * limit, populate: ['developer'] },
  );
  return { apps, pagination: { page, limit, total, totalPages: Math.ceil(total / limit) } };
}

@Resolver()
class AppResolver {
  @Query(() => AppPage)
  browseApps(
    @Arg('filter', () => AppFilter, { nullable: true }) filter: AppFilter | undefined,
    @Arg('page', () => Int, { nullable: true }) page: number | undefined,
    @Arg('limit', () => Int, { nullable: true }) limit: number | undefined,
    @Ctx() { em }: { em: EntityManager },
  ) {
    return browse(em, { ...filter }, page ?? 1, limit ?? 20);
  }

  @Query(() => App, { nullable: true })
  app(@Arg('slug', () => String) slug: string, @Ctx() { em }: { em: EntityManager }) {
    return findApp(em, slug);
  }

  @Mutation(() => InstallReceipt)
  recordInstall(
    @Arg('slug', () => String) slug: string,
    @Arg('input', () => RecordInstallInput, { nullable: true }) input: RecordInstallInput | undefined,
    @Ctx() { em }: { em: EntityManager },
  ) {
    return install(em, slug, input?.installationId ?? '');
  }
}

const findApp = (em: EntityManager, slug: string) =>
  em.findOne(App, { ...published, slug }, { populate: ['developer'] });

async function install(em: EntityManager, slug: string, installationId: string): Promise<InstallReceipt> {
  const installCount = await em.transactional(async (transaction) => {
    const found = await transaction.findOneOrFail(
      App,
      { ...published, slug },
      { lockMode: LockMode.PESSIMISTIC_WRITE, lockTableAliases: [] },
    );
    transaction.create(Installation, { app: ref(found), installationId });
    found.installCount += 1;
    return found.installCount;
  });
  return { slug, installCount };
}

function serveCatalog(app: Express): void {
  app.get('/api/apps', async (req, res) => {
    const { page = '1', limit = '20', featured, sort: _, ...filter } = req.query as Record<string, string>;
    const exact = { ...filter, ...(featured !== undefined && { featured: featured === 'true' }) };
    res.json(await browse(fork(), exact, Number(page), Number(limit)));
  });
  app.get('/api/apps/featured/list', async (_req, res) => {
    const where = { ...published, featured: true };
    const apps = await fork().find(App, where, { orderBy: popular, limit: 20, populate: ['developer'] });
    res.json({ apps });
  });
  app.get('/api/apps/categories/list', async (_req, res) => {
    const counts = fork()
      .createQueryBuilder(App)
      .select(['category', raw('count(*)::int as count')]);
    const categories = await counts.where(published).groupBy('category').execute();
    res.json({ categories });
  });
  app.get('/api/apps/:slug', async (req, res) => {
    const found = await findApp(fork(), req.params.slug);
    res.status(found ? 200 : 404).json(found);
  });
}

function serveTheRest(app: Express): void {
  app.post('/api/apps/:slug/install', async (req, res) => {
    const { installationId } = req.body as { installationId: string };
    res.status(201).json(await install(fork(), req.params.slug, installationId));
  });
  app.get('/api/dev/apps', async (req, res) => {
    const hash = createHash('sha256')
      .update(req.get('authorization')?.slice(7) ?? '')
      .digest();
    const em = fork();
    const where = { hash, revokedAt: null, expiresAt: { $gt: new Date() } };
    const key = await em.findOne(ApiKey, where, { populate: ['developer'] });
    if (!key) return void res.status(401).json({});
    const orderBy = { createdAt: 'desc', id: 'desc' } as const;
    const apps = await em.find(App, { developer: key.developer }, { orderBy });
    res.json({ apps });
  });
}

const apollo = new ApolloServer<{ em: EntityManager }>({
  schema: await buildSchema({ resolvers: [AppResolver], validate: false }),
});
await apollo.start();
const app = express();
app.use(express.json());
serveCatalog(app);
serveTheRest(app);
app.use('/graphql', expressMiddleware(apollo, { context: async () => ({ em: fork() }) }));
const server = app.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
server.keepAliveTimeout = 0;
