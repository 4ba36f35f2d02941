import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/config.js';
import { words } from '../support/words.js';

const compose = readFileSync('docker-compose.yml', 'utf8');
const dockerfile = readFileSync('Dockerfile', 'utf8');

/** The variables of a service of the compose file, which holds one to a line. */
function environment(service: string): Record<string, string> {
  const block = new RegExp(
    `^ {2}${service}:\\n(?: {4}.*\\n|\\n)*? {4}environment:\\n((?: {6}.*\\n)*)`,
    'm',
  ).exec(compose)?.[1];
  const variables = [...(block ?? '').matchAll(/^ {6}(\w+): (.*)$/gm)];
  return Object.fromEntries(
    variables.map(([, name = '', value = '']) => [name, value.replaceAll(/['"]/g, '')]),
  );
}

describe('the compose file', () => {
  const gateway = environment('gateway');
  const worker = environment('worker');

  it('starts the gateway in production with settings that it accepts', () => {
    const config = loadConfig({ NODE_ENV: 'production', ...gateway });
    expect(config).toMatchObject({ production: true, publicUrl: 'http://localhost:4000' });
    expect(config.databaseUrl).toContain('@database:');
  });

  it('sets only variables that the service reads', () => {
    const read = readFileSync('src/config/variables.ts', 'utf8');
    for (const name of [...Object.keys(gateway), ...Object.keys(worker)])
      expect(read).toContain(`  ${name}: `);
  });

  it('leaves the mails to a worker on the same database, which sends them to the mail server (D33)', () => {
    expect(loadConfig({ NODE_ENV: 'production', ...gateway }).worksInline).toBe(false);
    const config = loadConfig({ NODE_ENV: 'production', ...worker }, 'worker');
    expect(config).toMatchObject({
      databaseUrl: gateway.DATABASE_URL,
      publicUrl: gateway.PUBLIC_URL,
      mail: { smtpUrl: 'smtp://mail:1025', from: expect.stringContaining('@') },
    });
    expect(existsSync('src/process/worker-main.ts')).toBe(true);
    expect(compose).toContain(
      'command: [node, --max-semi-space-size=8, --heap-growing-percent=30, dist/src/process/worker-main.js]',
    );
  });

  it('gives gateway and worker the same key for secrets (D126)', () => {
    expect(gateway.SECRETS_KEY).toBe(worker.SECRETS_KEY);
    const { secretKeys } = loadConfig({ NODE_ENV: 'production', ...gateway });
    expect(secretKeys).toHaveLength(1);
  });

  it('names the same issuer to the gateway and to the identity provider, which browsers on this machine reach too', () => {
    const { hostname, port } = new URL(gateway.OIDC_ISSUER ?? '');
    expect(gateway.OIDC_ISSUER).toBe(environment('oidc').ISSUER);
    expect(hostname).toMatch(/\.localhost$/);
    expect(compose).toContain(`networks: { default: { aliases: [${hostname}] } }`);
    expect(compose).toContain(`ports: ["127.0.0.1:${port}:${port}"]`);
  });

  it('lets its accounts sign in to the playground and to the pages (D173)', async () => {
    expect(loadConfig({ NODE_ENV: 'production', ...gateway })).toMatchObject({ playground: true, web: true });
    const env = { ...environment('oidc'), PORT: '0' };
    const provider = spawn(process.execPath, ['docker/oidc-provider/provider.ts'], { env });
    try {
      const [line] = (await once(provider.stdout, 'data')) as [Buffer];
      const [, port] = /on port (\d+)/.exec(line.toString()) ?? [];
      for (const page of ['playground', 'market', 'console', 'desk']) {
        const query = new URLSearchParams({
          client_id: gateway.OIDC_CLIENT_ID ?? '',
          redirect_uri: `${gateway.PUBLIC_URL}/${page}`,
          response_type: 'code',
          scope: 'openid profile',
          code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
          code_challenge_method: 'S256',
        });
        const response = await fetch(`http://127.0.0.1:${port}/auth?${query}`, { redirect: 'manual' });
        expect(response.headers.get('location')).toContain('/interaction/');
      }
    } finally {
      provider.kill();
    }
  });

  it('gives the gateway the password of its database', () => {
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = environment('database');
    expect(gateway.DATABASE_URL).toBe(
      `postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@database:5432/${POSTGRES_DB}`,
    );
  });
});

describe('the cluster of the compose file', () => {
  const gateways = [environment('gateway-a'), environment('gateway-b')];
  const production = (settings: Record<string, string>) =>
    loadConfig({ NODE_ENV: 'production', ...settings });

  it('starts gateways and a worker with settings that they accept, on the same database', () => {
    const [a, b] = gateways.map(production);
    expect(a).toEqual(b);
    expect(a).toMatchObject({ worksInline: false, rateLimitsStore: 'postgres' });
    expect(a?.trustProxy).not.toBeNull();
    const worker = loadConfig({ NODE_ENV: 'production', ...environment('cluster-worker') }, 'worker');
    expect(worker).toMatchObject({ databaseUrl: a?.databaseUrl, secretKeys: a?.secretKeys });
    const read = readFileSync('src/config/variables.ts', 'utf8');
    for (const name of gateways.flatMap(Object.keys)) expect(read).toContain(`  ${name}: `);
  });

  it('gives Patroni everything that ops/patroni.yml needs', () => {
    const text = readFileSync('ops/patroni.yml', 'utf8');
    const needed = (text.match(/\b(PATRONI_[A-Z0-9_]+|MARKETPLACE_PASSWORD|OPS_FOLDER)\b/g) ?? []).filter(
      (name) => !name.endsWith('_'),
    );
    expect(needed.length).toBeGreaterThan(10);
    for (const node of ['node1', 'node2', 'node3']) {
      const given = environment(node);
      expect(needed.filter((name) => given[name] === undefined)).toEqual([]);
      expect(given).toMatchObject({ PATRONI_NAME: node, PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${node}:5432` });
      expect(production(gateways[0]!).databaseUrl).toContain(`:${given.MARKETPLACE_PASSWORD}@`);
    }
  });

  it('reads from each node by its own address, since a replica is never behind a load balancer', () => {
    for (const { databaseReplicaUrls } of gateways.map(production))
      expect(databaseReplicaUrls.map((url) => new URL(url).hostname)).toEqual(['node1', 'node2', 'node3']);
  });

  it('gives both HAProxies every address that their configurations name', () => {
    for (const [service, file] of [
      ['database-proxy', 'ops/haproxy-postgresql.cfg'],
      ['proxy', 'ops/haproxy.cfg'],
    ] as const) {
      const named = [...readFileSync(file, 'utf8').matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys(environment(service)).sort()).toEqual([...new Set(named)].sort());
      expect(compose).toContain(`/etc/marketplace/${file.slice('ops/'.length)}`);
    }
  });

  it('belongs to a profile, and uses only services, volumes and stages that exist', () => {
    const [services = '', volumes = ''] = compose.split(/^volumes:$/m);
    const blocks = services.split(/^ {2}(?=[\w-]+:$)/m).slice(1);
    const names = blocks.map((block) => block.split(':')[0]);
    const needed = blocks.flatMap((block) =>
      [...block.matchAll(/^ {6}([\w-]+): \{ condition/gm)].map(([, name]) => name),
    );
    expect(needed.filter((name) => !names.includes(name!))).toEqual([]);
    const targets = [...compose.matchAll(/target: ([\w-]+)/g)].map(([, target]) => target);
    for (const target of targets) expect(dockerfile).toContain(` AS ${target}\n`);
    const mounted = [...services.matchAll(/volumes: \["([\w-]+):/g)].map(([, volume]) => volume);
    for (const volume of mounted) expect(volumes).toContain(`  ${volume}:\n`);
    const outside = blocks.filter((block) => !block.includes('profiles: [cluster]'));
    expect(outside.map((block) => block.split(':')[0])).toEqual(words('gateway worker database oidc mail'));
  });
});

/** The files that a stage of the Dockerfile copies from the project, and the command after them. */
function stage(name: string): { sources: string[]; command: string } {
  const body = dockerfile.split(/^FROM /m).find((text) => text.split('\n')[0]?.endsWith(` AS ${name}`)) ?? '';
  const copies = [...body.matchAll(/^COPY (?!--from)(.*) \S+$/gm)];
  return {
    sources: copies.flatMap(([, sources]) => sources!.split(' ')),
    command: [...body.matchAll(/^RUN (?!--mount)(.*)$/gm)].at(-1)?.[1] ?? '',
  };
}

describe('the image', () => {
  it('builds the service from the files that it copies', () => {
    const { sources, command } = stage('build');
    const folder = mkdtempSync(join(tmpdir(), 'marketplace-image-'));
    try {
      for (const source of sources) cpSync(source, join(folder, source), { recursive: true });
      symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
      execFileSync('sh', ['-c', command], { cwd: folder, stdio: 'pipe' });
      for (const main of ['dist/src/main.js', 'dist/src/process/worker-main.js'])
        expect(existsSync(join(folder, main))).toBe(true);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('copies only what exists and what .dockerignore lets through', () => {
    const kept = readFileSync('.dockerignore', 'utf8').match(/(?<=^!).*/gm) ?? [];
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, sources]) =>
      sources!.split(' '),
    );
    expect(copied.length).toBeGreaterThan(0);
    for (const source of copied) {
      expect(existsSync(source)).toBe(true);
      expect(kept.filter((path) => `${source}/`.startsWith(`${path}/`))).not.toEqual([]);
    }
  });

  it('does not run as root', () => {
    const gateway = dockerfile.slice(dockerfile.indexOf('AS gateway'));
    expect(gateway).toMatch(/^USER node$/m);
  });
});
