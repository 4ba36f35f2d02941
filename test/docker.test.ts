import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../src/config.js';

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
    const read = readFileSync('src/config.ts', 'utf8');
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

  it('names the same issuer to the gateway and to the identity provider', () => {
    expect(gateway.OIDC_ISSUER).toBe(environment('oidc').ISSUER);
  });

  it('gives the gateway the password of its database', () => {
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = environment('database');
    expect(gateway.DATABASE_URL).toBe(
      `postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@database:5432/${POSTGRES_DB}`,
    );
  });
});

describe('the image', () => {
  it('copies only what exists and what .dockerignore lets through', () => {
    const kept = readFileSync('.dockerignore', 'utf8').match(/(?<=^!).*/gm) ?? [];
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, sources]) =>
      sources!.split(' '),
    );
    expect(copied.length).toBeGreaterThan(0);
    for (const source of copied) {
      expect(existsSync(source)).toBe(true);
      expect(kept).toContain(source.split('/')[0]);
    }
  });

  it('does not run as root', () => {
    const gateway = dockerfile.slice(dockerfile.indexOf('AS gateway'));
    expect(gateway).toMatch(/^USER node$/m);
  });
});
