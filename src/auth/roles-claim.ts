import type { JWTPayload } from 'jose';
import type { Logger } from 'pino';

/** The most claim names that a log line lists. */
const maxNames = 40;
const missing = 'missing';

/**
 * Reads the roles of an account from the claim that OIDC_ROLES_CLAIM names (D172). A claim of an unusable form gives no
 * roles, and the log names each form once, because the provider would repeat it in every token.
 */
export class RolesClaim {
  private readonly reported = new Set<string>();

  constructor(
    private readonly path: string,
    private readonly log: Logger,
  ) {}

  holds(role: string, payload: JWTPayload): boolean {
    return this.rolesOf(payload).includes(role);
  }

  private rolesOf(payload: JWTPayload): readonly unknown[] {
    const value = valueAt(payload, this.path);
    const problem = problemOf(value);
    if (problem !== null) this.report(problem, payload);
    if (Array.isArray(value)) return value;
    // The whole text is a role too, because names of roles may contain spaces.
    return typeof value === 'string' ? [value, ...value.split(/\s+/)] : [];
  }

  private report(problem: string, payload: JWTPayload): void {
    if (this.reported.has(problem)) return;
    this.reported.add(problem);
    const hint = problem === missing ? ' Some providers leave it out for accounts without any role.' : '';
    this.log.warn(
      { setting: 'OIDC_ROLES_CLAIM', value: this.path, found: problem, claims: namesOf(payload) },
      `OIDC_ROLES_CLAIM=${this.path}: in an account token this claim is ${problem}, so the account has no roles.${hint} Expected: a list of strings, or a text with one role or several separated by spaces. See docs/identity.md.`,
    );
  }
}

/**
 * Finds a value by its path: the literal name first, then nested objects, with the longest first name first. So a name may
 * contain dots, as `https://example.com/roles` and the client in `resource_access.shop.web.roles` do.
 */
function valueAt(holder: object, path: string): unknown {
  if (Object.hasOwn(holder, path)) return Reflect.get(holder, path);
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const name = path.slice(0, dot);
    const inner: unknown = Object.hasOwn(holder, name) ? Reflect.get(holder, name) : undefined;
    const found = isObject(inner) ? valueAt(inner, path.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Describes a value that is not a form of roles; null if it is one. */
function problemOf(value: unknown): string | null {
  if (value === undefined) return missing;
  if (typeof value === 'string') return null;
  if (Array.isArray(value))
    return value.every((item) => typeof item === 'string') ? null : 'a list with items that are not strings';
  if (value === null) return 'null';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Names the claims of a token without their values, those inside objects by their paths. */
const namesOf = (payload: JWTPayload): string[] =>
  Object.entries(payload)
    .flatMap(([name, value]) => [
      name,
      ...(isObject(value) ? Object.keys(value).map((key) => `${name}.${key}`) : []),
    ])
    .slice(0, maxNames);
