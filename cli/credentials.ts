import { readFileSync } from 'node:fs';
import { exitCodes, Failure, usage } from './failure.js';
import type { Output } from './output.js';

/** Where the credential of the tool comes from. */
export type CredentialKind = 'key' | 'key file' | 'pipeline';

/** A pipeline's identity that can be exchanged for a key, or a key. */
export type Credential =
  | { kind: 'key' | 'key file'; key: string }
  | { kind: 'pipeline'; identityToken: (audience: string) => Promise<string>; isRenewable: boolean };

/** Registers every secret of the environment, before anything is printed. */
export function registerSecrets(environment: NodeJS.ProcessEnv, output: Output): void {
  for (const name of ['MARKETPLACE_KEY', 'MARKETPLACE_ID_TOKEN', 'ACTIONS_ID_TOKEN_REQUEST_TOKEN'])
    output.addSecret(environment[name]?.trim() ?? '');
}

/** Finds the credential: `--key-file`, `MARKETPLACE_KEY`, then the identity of the pipeline. */
export function findCredential(
  environment: NodeJS.ProcessEnv,
  keyFile: string | undefined,
  output: Output,
): Credential {
  if (keyFile !== undefined) return { kind: 'key file', key: secret(readKeyFile(keyFile), output) };
  const { MARKETPLACE_KEY, MARKETPLACE_ID_TOKEN } = environment;
  if (MARKETPLACE_KEY?.trim()) return { kind: 'key', key: MARKETPLACE_KEY.trim() };
  if (MARKETPLACE_ID_TOKEN?.trim()) {
    const token = MARKETPLACE_ID_TOKEN.trim();
    return { kind: 'pipeline', identityToken: async () => token, isRenewable: false };
  }
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: request } = environment;
  if (url && request) {
    return {
      kind: 'pipeline',
      identityToken: (audience) => requestToken(url, request, audience, output),
      isRenewable: true,
    };
  }
  throw new Failure({
    exitCode: exitCodes.notPermitted,
    code: 'UNAUTHENTICATED',
    message:
      'There is no credential. Set MARKETPLACE_KEY to an API key, name a file with --key-file, or give the pipeline an identity (GitHub: permissions id-token: write; GitLab: id_tokens with MARKETPLACE_ID_TOKEN).',
  });
}

function secret(value: string, output: Output): string {
  output.addSecret(value);
  return value;
}

function readKeyFile(path: string): string {
  try {
    const key = readFileSync(path, 'utf8').trim();
    if (/\s/.test(key)) throw usage(`${path} is not a key file: it has more than one line or word.`);
    if (key !== '') return key;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw usage(`The key file ${path} cannot be read: ${error instanceof Error ? error.message : error}.`);
  }
  throw usage(`The key file ${path} is empty.`);
}

/** Asks GitHub Actions for a token of this job. */
async function requestToken(url: string, request: string, audience: string, output: Output): Promise<string> {
  const address = `${url}&audience=${encodeURIComponent(audience)}`;
  try {
    const response = await fetch(address, {
      headers: { authorization: `Bearer ${request}` },
      signal: AbortSignal.timeout(15_000),
      redirect: 'error',
    });
    const { value } = (await response.json()) as { value?: unknown };
    if (response.ok && typeof value === 'string') return secret(value, output);
    throw new Error(`it responded with status ${response.status}`);
  } catch (error) {
    throw new Failure({
      exitCode: exitCodes.unavailable,
      code: 'UNAVAILABLE',
      message: `The forge issued no identity token: ${error instanceof Error ? error.message : error}. Try again.`,
    });
  }
}
