import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { type AccountTokenSettings, AccountTokens } from './account-token.js';
import { DevIssuer } from './dev-issuer.js';
import { ProviderKeys } from './provider-keys.js';

/** Creates the verifier of account tokens: for the configured provider, or in development for the built-in one. */
export async function identity(
  { oidc, dataDir }: Pick<Config, 'oidc' | 'dataDir'>,
  publicUrl: string,
  log: Logger,
): Promise<{ tokens: AccountTokens; devIssuer: DevIssuer | null }> {
  const settings: AccountTokenSettings = { ...oidc, issuer: oidc.issuer ?? publicUrl };
  if (oidc.issuer) {
    const { getKey } = new ProviderKeys(settings.issuer);
    return { tokens: new AccountTokens(settings, getKey, log), devIssuer: null };
  }
  const devIssuer = await DevIssuer.open(dataDir, settings);
  return { tokens: new AccountTokens(settings, devIssuer.keys, log), devIssuer };
}
