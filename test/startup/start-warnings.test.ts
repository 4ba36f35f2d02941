import { beforeAll, describe, expect, it } from '@jest/globals';
import { closedAfterEach } from '../support/before-tests.js';
import { buildOnce, createTestDatabase } from '../support/database.js';
import { until } from '../support/mail-server.js';
import { startTestProvider } from '../support/oidc-provider.js';
import { type Gateway, startGateway } from './gateway.js';

// It may have to build first.
beforeAll(buildOnce, 120_000);

const closed = closedAfterEach();

/** Starts a gateway in production. */
async function started(settings: Record<string, string>): Promise<Gateway> {
  const { url } = closed(await createTestDatabase());
  const own = { NODE_ENV: 'production', PORT: '0', DATABASE_URL: url };
  const gateway = closed(startGateway({ ...own, ...settings }));
  await gateway.says(/"msg":"ready"/);
  return gateway;
}

const times = (text: string, part: string) => text.split(part).length - 1;

describe('a gateway in production', () => {
  it.each(['1', '2'])(
    'says once at its start that nobody can read the metrics, and that the provider cannot be reached; WEB_CONCURRENCY=%s (D253)',
    async (WEB_CONCURRENCY) => {
      const gateway = await started({ OIDC_ISSUER: 'http://127.0.0.1:1', WEB_CONCURRENCY });
      await gateway.says(
        /OIDC_ISSUER http:\/\/127\.0\.0\.1:1 cannot be used \(.+\): account tokens are refused/,
      );
      expect(times(gateway.output(), 'METRICS_TOKEN is not set')).toBe(1);
      expect(times(gateway.output(), 'OIDC_ISSUER http')).toBe(1);
    },
  );

  it('says neither if both are in order (D253)', async () => {
    const provider = closed(await startTestProvider());
    const gateway = await started({
      OIDC_ISSUER: provider.issuer,
      METRICS_TOKEN: 'a-token-of-some-length',
      DRAIN_SECONDS: '0',
    });
    await until(
      () => provider.asked.some((path) => path.includes('jwks')),
      () => `the provider was asked for ${provider.asked.join(', ')} only`,
    );
    await gateway.end();
    expect(gateway.output()).not.toMatch(/METRICS_TOKEN|OIDC_ISSUER/);
  });
});
