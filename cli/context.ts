import { Api } from './api.js';
import type { Options } from './arguments.js';
import { findCredential } from './credentials.js';
import { usage } from './failure.js';
import type { Output } from './output.js';

/** What a command works with. */
export interface CommandContext {
  options: Options;
  output: Output;
  environment: NodeJS.ProcessEnv;
  /** Path of the listing file. */
  path: string;
  version: string;
  /** Opens the API; `slug` is the app that a pipeline would publish. */
  api(slug?: string): Api;
  /** True if questions can be asked. */
  canAsk: boolean;
}

/** Returns the address of the marketplace. It never comes from a file, since the key is sent to it. */
export function marketplaceUrl({ url }: Options, environment: NodeJS.ProcessEnv): string {
  const given = (url ?? environment.MARKETPLACE_URL ?? '').trim().replace(/\/+$/, '');
  if (given === '')
    throw usage('The address of the marketplace is missing. Set MARKETPLACE_URL, or use --url.');
  if (!/^https?:\/\//i.test(given) || !URL.canParse(given))
    throw usage('MARKETPLACE_URL must be an address such as https://marketplace.example.');
  const { protocol, hostname, username, password } = new URL(given);
  if (username || password) throw usage('MARKETPLACE_URL must not contain a user name or password.');
  const isLocal = ['localhost', '[::1]'].includes(hostname) || /^127(\.\d+){3}$/.test(hostname);
  if (protocol === 'http:' && !isLocal)
    throw usage('MARKETPLACE_URL must start with https://: the key would be sent unencrypted.');
  return given;
}

export function openApi(
  options: Options,
  environment: NodeJS.ProcessEnv,
  output: Output,
  version: string,
  slug: string | undefined,
): Api {
  const url = marketplaceUrl(options, environment);
  const credential = findCredential(environment, options['key-file'], output);
  return new Api(url, credential, output, `marketplace-cli/${version}`, slug ?? null);
}
