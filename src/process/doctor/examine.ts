import type { Client } from 'pg';
import type { CheckResult } from './check-result.js';
import { checkDatabase } from './database.js';
import { checkAdministrators, checkIdentityProvider } from './identity.js';
import { checkJobs } from './jobs.js';
import { checkDisk, checkNode } from './machine.js';
import { checkMail } from './mail.js';
import { checkSettings } from './settings.js';

/** The order in which the findings are shown. */
const areas = ['node', 'settings', 'database', 'identity', 'mail', 'webhooks', 'jobs', 'disk'];

/** Runs all checks with the settings of the environment. */
export async function examine(environment?: Record<string, string>): Promise<CheckResult[]> {
  const { config, findings } = checkSettings(environment);
  // Without valid settings it is not known what else to check.
  if (!config) return [checkNode(), ...findings];
  const checkContent = async (client: Client) => [
    ...(config.oidc.issuer === null ? [] : [await checkAdministrators(config, client)]),
    ...(await checkJobs(client)),
  ];
  const parts = await Promise.all([
    checkDatabase(config, checkContent),
    checkIdentityProvider(config),
    checkMail(config),
    checkDisk(config),
  ]);
  const all = [checkNode(), ...findings, ...parts.flat()];
  return areas.flatMap((area) => all.filter((finding) => finding.area === area));
}
