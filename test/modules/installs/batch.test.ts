import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { InstallBatcher } from '../../../src/modules/installs/install-batcher.service.js';
import { waitingFor } from '../../races/race.js';
import type { AppJson } from '../../support/actors.js';
import type { Input, Outcome } from '../../support/api-client.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { connectTo } from '../../support/database.js';
import { until } from '../../support/mail-server.js';
import { expectError } from '../../support/outcomes.js';
import { removeOldRowsOf } from '../../support/retention.js';
import { type Service, startService } from '../../support/service.js';
import { startServiceOnLine } from '../../support/service-on-line.js';

interface Receipt {
  slug: string;
  installCount: number;
}

let apps: AppJson[];
const service = duringTests(() => startServiceOnLine());
const line = beforeTests(() => service.line);
const ada = beforeTests(() => service.aDeveloper());
beforeAll(async () => {
  apps = [];
  for (let count = 0; count < 6; count += 1) apps.push(await service.anApp(ada, 'APPROVED'));
});

const callers = 64;
const install = (slug: string, input: Input = {}, at: Service = service) =>
  at.client.call<Receipt>('rest', 'recordInstall', { slug, ...input });
const burst = (input: (index: number) => [slug: string, input?: Input, at?: Service], size = callers) =>
  Promise.all(Array.from({ length: size }, (_, index) => install(...input(index))));
const isDone = ({ status }: Outcome) => status === 201;

/** Returns the installs of every app by its counter, by rows and by days: they must be the same. */
async function counts(): Promise<Map<string, number>> {
  const rows = await service.sql<Record<'slug', string> & Record<'counter' | 'rows' | 'days', number>>(
    `select slug, install_count as counter,
       (select count(*)::int from installations where app_id = a.id) as rows,
       (select coalesce(sum(installs), 0)::int from installs_daily where app_id = a.id) as days from apps a join app_figures using (id)`,
  );
  expect(rows.map(({ slug, rows: n }) => [slug, n, n])).toEqual(
    rows.map(({ slug, counter, days }) => [slug, counter, days]),
  );
  return new Map(rows.map(({ slug, counter }) => [slug, counter]));
}

/** Locks an app's figures while the work runs, as an edit may. */
const holding = (id: string, work: () => Promise<void>) =>
  during('select from app_figures where id = $1 for update', [id], work);

async function during(statement: string, values: unknown[], work: () => Promise<void>): Promise<void> {
  const holder = await connectTo(service.databaseUrl);
  await holder.query('begin');
  await holder.query(statement, values);
  try {
    await work();
  } finally {
    await holder.end();
  }
}

const isWaitedFor = () => waitingFor(service, 1);

describe('many installs at once', () => {
  afterEach(async () => {
    await counts();
  });

  it('share transactions: one statement for many callers, and each receipt has a true count (D30, D73)', async () => {
    const { slug } = apps[0]!;
    const before = (await counts()).get(slug)!;
    let outcomes: Outcome<Receipt>[] = [];
    const statements = await line.listenIn(async () => {
      outcomes = await burst(() => [slug]);
    });
    expect(outcomes.every(isDone)).toBe(true);
    const recording = statements.filter((sql) => sql.includes('insert into installations'));
    expect(recording.length).toBeLessThan(callers / 3);
    expect(statements.filter((sql) => /^(begin|commit|start)/i.test(sql))).toEqual([]);
    const receipts = outcomes.map(({ data }) => data.installCount).sort((a, b) => a - b);
    expect(receipts.filter((count, place) => count <= before + place)).toEqual([]);
    expect(receipts.at(-1)).toBe(before + callers);
  });

  it('with Idempotency-Keys and without share transactions too (D73)', async () => {
    const { slug } = apps[5]!;
    const before = (await counts()).get(slug)!;
    let responses: Response[] = [];
    const statements = await line.listenIn(async () => {
      responses = await Promise.all(
        Array.from({ length: callers }, (_, index) =>
          service.client.request('POST', `/api/apps/${slug}/install`, {
            headers: index % 4 ? { 'idempotency-key': `shared ${index}` } : {},
          }),
        ),
      );
    });
    expect(responses.map(({ status }) => status)).toEqual(Array(callers).fill(201));
    expect(statements.length).toBeLessThan(callers / 3);
    expect(statements.filter((sql) => !sql.includes('insert into installations'))).toEqual([]);
    expect((await counts()).get(slug)).toBe(before + callers);
    const stored = await service.sql('select from stored_responses where body like $1', [
      `{"slug":"${slug}",%`,
    ]);
    expect(stored).toHaveLength(callers * 0.75);
  });

  it('of many apps, through two gateways, each installation twice, are counted once (D30, D73)', async () => {
    const other = await startService({}, undefined, { databaseVia: async () => service.databaseUrl });
    try {
      const before = await counts();
      const outcomes = await burst((i) => {
        const each = i % (callers / 2);
        const to = apps[each % apps.length]!.slug;
        return [to, { installationId: `twice ${each}` }, (i + Math.floor(i / 32)) % 2 ? service : other];
      });
      expect(outcomes.filter(isDone)).toHaveLength(callers / 2);
      expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(callers / 2);
      const added = [...(await counts())].map(([slug, count]) => count - before.get(slug)!);
      expect(added.reduce((sum, count) => sum + count, 0)).toBe(callers / 2);
    } finally {
      await other.close();
    }
  });

  it('are independent: one unknown app or bad value fails alone (D73)', async () => {
    await service.sql("alter table installations add constraint planted check (version <> 'poison')");
    const outcomes = await burst((i) => {
      if (i === 11) return ['nothing-here'];
      return [apps[i % 3]!.slug, { version: i === 42 ? 'poison' : '1' }];
    });
    await service.sql('alter table installations drop constraint planted');
    expectError(outcomes[11]!, 'NOT_FOUND');
    expect(outcomes[42]).toMatchObject({ code: 'INTERNAL', status: 500 });
    expect(outcomes.filter(isDone)).toHaveLength(callers - 2);
  });

  it('do not wait for a locked app, unless they install that one (D73)', async () => {
    const [held, free] = [apps[0]!, apps[1]!];
    let waiting: Promise<Outcome<Receipt>[]> | undefined;
    await holding(held.id, async () => {
      waiting = burst(() => [held.slug], 8);
      const first = await Promise.race([waiting, burst(() => [free.slug])]);
      expect(first).toHaveLength(callers);
      expect(first.every(isDone)).toBe(true);
      // More come while those before are tried again.
      waiting = Promise.all([waiting, burst(() => [held.slug], 8)]).then((all) => all.flat());
      const others = await burst(() => [free.slug]);
      expect(others.every(isDone)).toBe(true);
    });
    expect((await waiting)!.map(({ status }) => status)).toEqual(Array(16).fill(201));
  });

  it('are UNAVAILABLE when the queue is full; accepted ones are recorded before shutdown (D79)', async () => {
    const batch = new InstallBatcher(service.databaseUrl, pino({ level: 'silent' }));
    const nothing = { installationId: null, accountUserId: null, version: null };
    const sent = Array.from({ length: 10_011 }, () =>
      batch.record({ id: randomUUID(), slug: apps[0]!.slug, ...nothing }),
    );
    const outcomes = Promise.allSettled(sent);
    await batch.close();
    const refused = (await outcomes).filter((outcome) => outcome.status === 'rejected');
    expect(refused.length).toBe(10);
    expect(refused[0]!.reason).toMatchObject({ code: 'UNAVAILABLE' });
    await expect(sent[10_010]).rejects.toMatchObject({ message: expect.stringMatching(/was not/) });
  });
});

describe('an acknowledged install', () => {
  it('is stored even if the process is killed in the middle of a burst (D30)', async () => {
    const { slug, id } = apps[2]!;
    const child = spawn(process.execPath, [
      ...['--experimental-transform-types', '--no-warnings'],
      ...['--import', typescriptAsItIs, 'test/modules/installs/burst.ts', service.databaseUrl, slug],
    ]);
    const said: string[] = [];
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => said.push(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    await until(
      () => said.join('').split('\n').length > 5 * callers,
      () => `there was no burst: ${errors}`,
    );
    child.kill('SIGKILL');
    await once(child, 'close');
    const acknowledged = said.join('').split('\n').slice(0, -1);
    const recorded = await service.sql<{ installation_id: string }>(
      'select installation_id from installations where app_id = $1',
      [id],
    );
    const known = new Set(recorded.map(({ installation_id }) => installation_id));
    expect(acknowledged.filter((each) => !known.has(each))).toEqual([]);
    await counts();
  });

  it('is stored even if the database connection is cut in the middle of a burst; all others are UNAVAILABLE (D30, D79)', async () => {
    const { slug, id } = apps[3]!;
    const running = burst((i) => [slug, { installationId: `cut ${i}` }], 200);
    await until(
      async () => (await service.sql('select from installations where app_id = $1', [id])).length > 0,
      'nothing was recorded',
    );
    await line.cut();
    const outcomes = await running;
    await line.mend();
    expect(outcomes.filter((outcome) => !isDone(outcome)).map(({ code }) => code)).toEqual(
      outcomes.filter((outcome) => !isDone(outcome)).map(() => 'UNAVAILABLE'),
    );
    const rows = await service.sql<{ installation_id: string }>(
      'select installation_id from installations where app_id = $1',
      [id],
    );
    const known = new Set(rows.map(({ installation_id }) => installation_id));
    expect(outcomes.flatMap((outcome, i) => (isDone(outcome) && !known.has(`cut ${i}`) ? [i] : []))).toEqual(
      [],
    );
    const again = await burst((i) => [slug, { installationId: `cut ${i}` }], 200);
    expect(again.every(({ status }, i) => status === (known.has(`cut ${i}`) ? 200 : 201))).toBe(true);
    await counts();
  });

  it('is not one whose connection was lost: the caller is told to repeat it (D79)', async () => {
    const { slug } = apps[4]!;
    const before = (await counts()).get(slug)!;
    await during('lock table installations in share mode', [], async () => {
      const lost = install(slug, { installationId: 'lost' });
      await isWaitedFor();
      await line.cut();
      const outcome = await lost;
      expect(outcome).toMatchObject({ code: 'UNAVAILABLE', status: 503 });
      expect(outcome.message).toMatch(/may have been recorded or not.*with an installationId it counts once/);
    });
    await line.mend();
    expect((await install(slug, { installationId: 'lost' })).data).toEqual({
      slug,
      installCount: before + 1,
    });
    await counts();
  });
});

describe('installs of more than 400 days ago (D74)', () => {
  it('are pruned, except their ids, so that they are not counted again; the counts stay', async () => {
    const { slug, id } = await service.anApp(ada, 'APPROVED');
    const told = { accountUserId: 'somebody', version: '1.0' };
    for (const [name, days] of [
      ['old', 401],
      ['young', 399],
    ] as const) {
      await install(slug, { installationId: name, ...told });
      await install(slug, told);
      await service.sql(
        `with moved as (update installations set created_at = now() - $2 * interval '1 day'
           where app_id = $1 and created_at > now() - interval '1 hour')
         update installs_daily set day = day - $2::int where app_id = $1 and day > now() - interval '2 days'`,
        [id, days],
      );
    }
    for (const _ of ['once', 'twice']) await removeOldRowsOf(service.databaseUrl);
    const left = await service.sql(
      `select installation_id as "installationId", account_user_id as "accountUserId", version
       from installations where app_id = $1 order by created_at, installation_id nulls last`,
      [id],
    );
    expect(left).toEqual([
      { installationId: 'old', accountUserId: null, version: null },
      { installationId: 'young', ...told },
      { installationId: null, ...told },
    ]);
    expect((await install(slug, { installationId: 'old' })).data).toMatchObject({ installCount: 4 });
    const [days] = await service.sql(
      `select sum(installs)::int as installs, sum(unique_installations)::int as "unique" from installs_daily
       where app_id = $1 and version in ('1.0', '') and day < now() - interval '9 days' and environment = 'production'`,
      [id],
    );
    expect(days).toEqual({ installs: 4, unique: 2 });
  });
});

/** Lets Node run our TypeScript as it lies there, whose imports name what it will be once it is built. */
const typescriptAsItIs = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve: (name, context, next) =>
      next(name.startsWith('.') && context.parentURL?.endsWith('.ts') ? name.replace(/\\.js$/, '.ts') : name, context),
  });`)}`;
