import { z } from 'zod';
import { formatted, id, slug, text } from '../../operations/input.js';

const name = /^[\w.-]+$/;
/** `acme/notes`; GitLab also has groups within groups. */
const isRepository = (value: string) => {
  const parts = value.split('/');
  return parts.length >= 2 && parts.length <= 20 && parts.every((part) => name.test(part));
};

export const NewPublisher = z
  .object({
    issuer: text({ max: 300 }).describe(
      'Issuer of the identity tokens: `https://token.actions.githubusercontent.com` for GitHub Actions, `https://gitlab.com` for GitLab, or another one that the service accepts.',
    ),
    repository: formatted(
      300,
      isRepository,
      'invalid_repository',
      'must be the full name of a repository, such as acme/notes',
    ).describe('Full name of the repository, exactly as the forge spells it, such as `acme/notes`.'),
    repositoryId: text({ max: 100 })
      .nullish()
      .describe('Id of the repository at its forge. If it is left out, the first exchange records it.'),
    workflow: text({ max: 200 })
      .nullish()
      .describe(
        'File of the workflow: its name in `.github/workflows` for GitHub, such as `release.yml`; its path for GitLab, such as `.gitlab-ci.yml`. A publisher needs a workflow or an environment.',
      ),
    environment: text({ max: 255 })
      .nullish()
      .describe('Deployment environment that the job must use, exactly as the forge spells it.'),
  })
  .describe('The pipeline that may publish the app.');

export const AddTrustedPublisher = NewPublisher.extend({ appId: id('app') });

export const ListTrustedPublishers = z.object({
  appId: id('app').nullish().describe('Only the publishers of the app with this id. Null: of all your apps.'),
});

export const PublisherId = z.object({ id: id('trusted publisher') });

export const ExchangePublisherToken = z.object({
  token: formatted(
    8192,
    (value) => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(value),
    'invalid_token',
    'must be the OIDC token of a pipeline, which has three parts with dots in between',
  ).describe(
    'OIDC token that the forge issued to the job, with the address of this service as its audience.',
  ),
  slug: slug()
    .nullish()
    .describe('Slug of the app to publish. Needed only if the pipeline may publish several apps.'),
});
