import type { Client } from 'pg';
import { loadProviderKeys } from '../../auth/provider-keys.js';
import type { Config } from '../../config.js';
import { type CheckResult, reasonOf, resultsOf } from './check-result.js';

const { ok, warn, fail } = resultsOf('identity');
const TIMEOUT_MS = 10_000;
const RECENT_DAYS = 30;
const DAY_MS = 86_400_000;
/** Bound of the search, so that it takes no longer in a large audit log. */
const SEARCHED_EVENTS = 100_000;

/** Checks that the discovery document and the keys of the identity provider can be loaded. */
export async function checkIdentityProvider({ oidc }: Config): Promise<CheckResult> {
  const { issuer } = oidc;
  if (issuer === null) return ok('the built-in issuer, which exists in development only');
  try {
    const { keys } = await loadProviderKeys(issuer, AbortSignal.timeout(TIMEOUT_MS));
    return ok(`${issuer}: discovery document loaded, keys: ${keys.length}`);
  } catch (error) {
    return fail(
      `${issuer} cannot be used (${reasonOf(error)})`,
      'Check OIDC_ISSUER: it must be spelled as in the discovery document, and its /.well-known/openid-configuration must be reachable from this machine.',
    );
  }
}

/** Looks for the last act of an administrator: it proves that a token had the role at that time. */
export async function checkAdministrators({ oidc }: Config, client: Client): Promise<CheckResult> {
  const { rows } = await client.query<{ at: Date }>(
    `select created_at as at
     from (select actor_kind, created_at from audit_events order by id desc limit ${SEARCHED_EVENTS}) latest
     where actor_kind = 'administrator' order by created_at desc limit 1`,
  );
  const at = rows[0]?.at;
  const cure = `Check that the tokens of administrators have ${oidc.adminRole} in the claim ${oidc.rolesClaim} (OIDC_ADMIN_ROLE, OIDC_ROLES_CLAIM).`;
  if (!at) return warn('no administrator has acted yet, so the role claim was never seen', cure);
  const message = `an administrator last acted on ${at.toISOString().slice(0, 10)}, so the role claim was right then`;
  return Date.now() - at.getTime() < RECENT_DAYS * DAY_MS ? ok(message) : warn(message, cure);
}
