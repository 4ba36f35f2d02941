import { type Config, ConfigError, loadConfig } from '../../config.js';
import { misspeltSettings } from '../misspelt-settings.js';
import { type CheckResult, resultsOf } from './check-result.js';

const { ok, warn, fail } = resultsOf('settings');

/** Reads the settings. They are null if one is invalid. */
export function checkSettings(environment?: Record<string, string>): {
  config: Config | null;
  findings: CheckResult[];
} {
  const doubtful = misspeltSettings(environment).map(({ name, meant }) =>
    warn(`${name} is not a setting and has no effect`, `If you mean ${meant}, rename it.`),
  );
  try {
    const config = loadConfig(environment);
    return { config, findings: [ok(describe(config)), ...doubtful, ...risks(config)] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const cure = 'Correct the environment variable; npm start -- --help lists all settings.';
    return { config: null, findings: [...error.problems.map((problem) => fail(problem, cure)), ...doubtful] };
  }
}

function describe({ production, databaseUrl }: Config): string {
  const mode = production ? 'production' : 'development';
  return `valid; ${mode}, with ${databaseUrl === null ? 'the embedded database' : 'DATABASE_URL'}`;
}

/** Warns about settings that are valid, but rarely intended. */
function risks(config: Config): CheckResult[] {
  const { production, databaseUrl, secretKeys, publicUrl, rateLimits, corsOrigins } = config;
  if (!production) return [];
  const doubts: [isDoubtful: boolean, message: string, cure: string][] = [
    [
      databaseUrl !== null && secretKeys === null,
      'SECRETS_KEY is not set: webhook secrets are stored unencrypted',
      'Set SECRETS_KEY to the output of: openssl rand -base64 32',
    ],
    [
      publicUrl === null,
      'PUBLIC_URL is not set: links in responses lead to the address that the gateway listens on',
      'Set PUBLIC_URL to the address that clients use.',
    ],
    [rateLimits === null, 'RATE_LIMITS is off', 'Remove RATE_LIMITS=off.'],
    [
      corsOrigins.includes('*'),
      'CORS_ORIGINS is *: pages of every site may call the API',
      'List the origins of your front ends, unless that is intended.',
    ],
  ];
  return doubts.flatMap(([isDoubtful, ...doubt]) => (isDoubtful ? [warn(...doubt)] : []));
}
