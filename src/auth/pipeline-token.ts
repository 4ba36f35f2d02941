import { decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import { z } from 'zod';
import { now, nowMs } from '../db/clock.js';
import { ServiceError } from '../errors.js';
import { ProviderKeys, ProviderUnavailable } from './provider-keys.js';

/** The pipeline that a verified token belongs to, as its forge describes it. */
export interface PipelineIdentity {
  issuer: string;
  /** Full name of the repository, such as `acme/notes`. */
  repository: string;
  /** Id of the repository, which stays the same if it is renamed and is never given to another one; null if the forge has none. */
  repositoryId: string | null;
  /** File of the workflow, such as `release.yml` or `.gitlab-ci.yml`. */
  workflow: string;
  /** Deployment environment of the job; null if it has none. */
  environment: string | null;
  /** Branch or tag, such as `refs/tags/v1.0.0`. */
  ref: string | null;
  /** Unique id of the token. */
  tokenId: string;
  expiresAt: Date;
}

/** Public-key algorithms only, so that neither a shared secret nor `none` is ever accepted. */
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'];
const clockToleranceSeconds = 30;
/** Forges issue tokens for minutes. The ids of used tokens are stored until they expire. */
const maxLifetimeSeconds = 24 * 60 * 60;

const Text = z
  .string()
  .max(500)
  .regex(/^[^\p{Cc}\p{Cs}]+$/u);
/** GitLab sends ids as texts, GitHub too; older versions of both sent numbers. */
const Id = z.union([Text, z.int()]).transform(String).optional();

/** The claims of GitHub Actions. `workflow_ref` is `acme/notes/.github/workflows/release.yml@refs/tags/v1`. */
const GitHubClaims = z
  .object({
    repository: Text,
    repository_id: Id,
    workflow_ref: Text,
    environment: Text.optional(),
    ref: Text.optional(),
  })
  .transform(({ repository, repository_id, workflow_ref, environment, ref }) => ({
    repository,
    repositoryId: repository_id ?? null,
    workflow: fileAfter(`${repository}/.github/workflows/`, workflow_ref),
    environment: environment ?? null,
    ref: ref ?? null,
  }));

/** The claims of GitLab. `ci_config_ref_uri` is `gitlab.com/acme/notes//.gitlab-ci.yml@refs/tags/v1`. */
const GitLabClaims = z
  .object({
    project_path: Text,
    project_id: Id,
    ci_config_ref_uri: Text,
    environment: Text.optional(),
    ref: Text.optional(),
    ref_path: Text.optional(),
  })
  .transform(({ project_path, project_id, ci_config_ref_uri, environment, ref, ref_path }) => ({
    repository: project_path,
    repositoryId: project_id ?? null,
    workflow: fileAfter(`/${project_path}//`, ci_config_ref_uri.replace(/^[^/]+/, '')),
    environment: environment ?? null,
    ref: ref_path ?? ref ?? null,
  }));

/**
 * Returns the file between a prefix and the `@` before the branch; an empty text if it belongs to another repository. Names
 * of files and of branches may contain `@`: the last one can make a name longer, never equal to a trusted one.
 */
function fileAfter(prefix: string, reference: string): string {
  const end = reference.includes('@refs/') ? reference.lastIndexOf('@refs/') : reference.lastIndexOf('@');
  const path = reference.slice(0, Math.max(0, end));
  return path.startsWith(prefix) ? path.slice(prefix.length) : '';
}

const Claims = z.union([GitHubClaims, GitLabClaims]);

/** Verifies the OIDC tokens of pipelines: signature, issuer, audience, algorithm and times. */
export class PipelineTokens {
  private readonly keys = new Map<string, ProviderKeys>();

  constructor(
    /** The issuers that are accepted. None is contacted before somebody sends a token of it. */
    readonly issuers: readonly string[],
    private readonly audience: string,
  ) {}

  async verify(token: string): Promise<PipelineIdentity> {
    const issuer = this.issuerOf(token);
    try {
      const { payload } = await jwtVerify(token, this.keysOf(issuer).getKey, {
        issuer,
        audience: this.audience,
        algorithms,
        clockTolerance: clockToleranceSeconds,
        currentDate: now(),
        requiredClaims: ['exp', 'iat', 'iss', 'aud', 'jti'],
      });
      return this.identityOf(issuer, payload);
    } catch (error) {
      throw this.toServiceError(error, issuer);
    }
  }

  /** Reads the issuer, which is not verified yet, only to know whose keys are needed. */
  private issuerOf(token: string): string {
    let issuer: unknown;
    try {
      issuer = decodeJwt(token).iss;
    } catch {
      throw invalid('It is not a token of an identity provider (a JWT).');
    }
    const known = this.issuers.find((each) => each === issuer);
    if (known === undefined)
      throw invalid(
        this.issuers.length === 0
          ? 'This service accepts no identities of pipelines.'
          : `Its issuer is not accepted here. The issuers are: ${this.issuers.join(', ')}.`,
      );
    return known;
  }

  private keysOf(issuer: string): ProviderKeys {
    const known = this.keys.get(issuer) ?? new ProviderKeys(issuer);
    this.keys.set(issuer, known);
    return known;
  }

  private identityOf(issuer: string, payload: JWTPayload): PipelineIdentity {
    const { jti, iat = 0, exp = 0 } = payload;
    if (iat > nowMs() / 1000 + clockToleranceSeconds) throw invalid('It was issued in the future.');
    if (exp - iat > maxLifetimeSeconds) throw invalid('It is valid for more than a day.');
    const claims = Claims.safeParse(payload).data;
    const tokenId = Text.safeParse(jti).data;
    if (!claims || !tokenId || claims.workflow === '')
      throw invalid('It does not say which repository and workflow it belongs to.');
    return { issuer, ...claims, tokenId, expiresAt: new Date(exp * 1000) };
  }

  private toServiceError(error: unknown, issuer: string): Error {
    if (error instanceof ServiceError) return error;
    if (error instanceof ProviderUnavailable)
      return new ServiceError(
        'UNAVAILABLE',
        `The keys of ${issuer} cannot be loaded to check the token. Try again shortly.`,
        [],
        { cause: error },
      );
    if (error instanceof errors.JWTExpired) return invalid('It has expired.');
    if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud')
      return invalid(`Its audience must be ${this.audience}.`);
    return invalid('Its signature or its claims are not valid.');
  }
}

const invalid = (reason: string) =>
  new ServiceError(
    'INVALID_TOKEN',
    `The token of the pipeline is not accepted. ${reason} Request a new token for this job.`,
  );
