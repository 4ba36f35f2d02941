import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { reasonOf } from './doctor/check-result.js';

const PROVIDER_TIMEOUT_MS = 5_000;

/** Warns about settings with which the service runs, but not as it should. Never rejects. */
export async function warnAboutSettings(config: Config, log: Logger): Promise<void> {
  if (config.metricsToken === null)
    log.warn(
      'METRICS_TOKEN is not set: nobody can read /metrics. Set it to a secret of at least 16 characters',
    );
  const { issuer } = config.oidc;
  if (issuer === null) return;
  try {
    const { loadProviderKeys } = await import('../auth/provider-keys.js');
    await loadProviderKeys(issuer, AbortSignal.timeout(PROVIDER_TIMEOUT_MS));
  } catch (error) {
    log.warn(
      `OIDC_ISSUER ${issuer} cannot be used (${reasonOf(error)}): account tokens are refused until it can. Check the address, and that this machine reaches it`,
    );
  }
}
