import type { PipelineIdentity } from '../../auth/pipeline-token.js';
import type { TrustedPublisher } from './trusted-publisher.entity.js';

type Publisher = Pick<TrustedPublisher, 'repository' | 'repositoryId' | 'workflow' | 'environment'>;

/**
 * Returns true if an identity is that of a publisher. Names are compared exactly. A repository that has the name but another
 * id is not the one that was trusted: that one was renamed or deleted, and somebody took its name (D410).
 */
export const isIdentityOf = (publisher: Publisher, identity: PipelineIdentity): boolean =>
  publisher.repository === identity.repository &&
  hasTrustedId(publisher, identity) &&
  (publisher.workflow === null || publisher.workflow === identity.workflow) &&
  (publisher.environment === null || publisher.environment === identity.environment);

const hasTrustedId = ({ repositoryId }: Publisher, identity: PipelineIdentity) =>
  repositoryId === null || repositoryId === identity.repositoryId;

/**
 * Returns why an identity is none of the publishers that name its repository. It describes the job and not the publishers:
 * anybody can name a repository, so their texts may be those of a stranger.
 */
export function whyNot(named: readonly Publisher[], identity: PipelineIdentity): string {
  const { issuer, repository, workflow, environment } = identity;
  if (named.length === 0)
    return `No trusted publisher names the repository ${repository} of ${issuer}. Its developer adds it in the console, on the page of the app.`;
  if (!named.some((publisher) => hasTrustedId(publisher, identity)))
    return `The repository ${repository} is not the one that was trusted: its id at the forge is another one. If that is right, remove the trusted publisher and add it again.`;
  return `The repository ${repository} is named by a trusted publisher, but not with the workflow ${workflow} and ${environment === null ? 'no environment' : `the environment ${environment}`}, which this job uses.`;
}

const maxName = 100;

/** Returns the name of a key that a pipeline gets, as the list of keys shows it. */
export function pipelineName({ repository, workflow }: PipelineIdentity): string {
  const characters = [...`Pipeline ${repository} (${workflow})`];
  return characters.length > maxName ? `${characters.slice(0, maxName - 1).join('')}…` : characters.join('');
}
