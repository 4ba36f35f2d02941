import type { PipelineIdentity } from '../../auth/pipeline-token.js';
import type { TrustedPublisher } from './trusted-publisher.entity.js';

type Publisher = Pick<TrustedPublisher, 'repository' | 'repositoryId' | 'workflow' | 'environment'>;

/**
 * Returns why an identity is not that of a publisher; null if it is. Names are compared exactly. A repository that has the
 * name but another id is not the one that was trusted: that one was renamed or deleted, and somebody took its name (D410).
 */
export function problemOfIdentity(publisher: Publisher, identity: PipelineIdentity): string | null {
  const { repository, repositoryId, workflow, environment } = identity;
  if (publisher.repository !== repository) return `The repository ${repository} is not trusted.`;
  if (publisher.repositoryId !== null && publisher.repositoryId !== repositoryId)
    return `The repository ${repository} is not the one that was trusted: its id at the forge is another one. If that is right, remove the trusted publisher and add it again.`;
  if (publisher.workflow !== null && publisher.workflow !== workflow)
    return `The workflow ${workflow} of ${repository} is not trusted, but ${publisher.workflow} is.`;
  if (publisher.environment !== null && publisher.environment !== environment)
    return `The job must use the environment ${publisher.environment}, and it uses ${environment ?? 'none'}.`;
  return null;
}

const maxName = 100;

/** Returns the name of a key that a pipeline gets, as the list of keys shows it. */
export function pipelineName({ repository, workflow }: PipelineIdentity): string {
  const characters = [...`Pipeline ${repository} (${workflow})`];
  return characters.length > maxName ? `${characters.slice(0, maxName - 1).join('')}…` : characters.join('');
}
