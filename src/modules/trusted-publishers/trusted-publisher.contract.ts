import { anyone, developer } from '../../auth/policy.js';
import { inInput, mutation, query } from '../../operations/operation.js';
import { IssuedApiKey } from '../api-keys/api-key.types.js';
import { TrustedPublisher } from './trusted-publisher.entity.js';
import {
  AddTrustedPublisher,
  ExchangePublisherToken,
  ListTrustedPublishers,
  NewPublisher,
  PublisherId,
} from './trusted-publisher.input.js';

export const addTrustedPublisher = mutation({
  summary:
    'Lets a pipeline publish an app without a stored secret. Whoever can change that workflow can then change and submit the app.',
  limit: 'credentials',
  catalog: 'none',
  policy: developer(null, { mustBeVerified: true, accountOnly: true }),
  input: AddTrustedPublisher,
  grouped: inInput('AddTrustedPublisherInput', 'The pipeline that may publish the app.', NewPublisher),
  output: TrustedPublisher,
  readAgain: true,
  errors: ['NOT_FOUND', 'QUOTA_EXCEEDED'],
  problems: ({ trustedPublishers }, _caller, valid) => trustedPublishers.problemsOf(valid),
  run: ({ trustedPublishers }, caller, { appId, ...input }) => trustedPublishers.add(caller, appId, input),
});

export const trustedPublishers = query({
  summary:
    'Lists the pipelines that may publish your apps, newest first: all those of one app, or the newest 100 of all your apps.',
  policy: developer(null, { accountOnly: true }),
  input: ListTrustedPublishers,
  output: [TrustedPublisher],
  run: ({ trustedPublishers: publishers }, caller, { appId }) => publishers.list(caller, appId ?? null),
});

export const removeTrustedPublisher = mutation({
  summary: 'Ends the trust in a pipeline, and revokes the keys that it holds.',
  catalog: 'none',
  policy: developer(null, { accountOnly: true }),
  input: PublisherId,
  output: TrustedPublisher,
  errors: ['NOT_FOUND'],
  run: ({ trustedPublishers: publishers }, caller, { id }) => publishers.remove(caller, id),
});

export const exchangePublisherToken = mutation({
  summary:
    'Exchanges the OIDC token of a trusted pipeline for an API key that lives 15 minutes, has the scopes APP_READ and APP_UPDATE, and works for one app only. Each token can be exchanged once.',
  limit: 'credentials',
  catalog: 'none',
  policy: anyone,
  input: ExchangePublisherToken,
  output: IssuedApiKey,
  shownOnce: ({ maskedKey, id }: IssuedApiKey) => `the API key ${maskedKey} (id ${id})`,
  errors: [
    'INVALID_TOKEN',
    'FORBIDDEN',
    'DEVELOPER_NOT_VERIFIED',
    'DEVELOPER_SUSPENDED',
    'QUOTA_EXCEEDED',
    'UNAVAILABLE',
  ],
  prepare: ({ trustedPublishers: publishers }, _caller, { token }) => publishers.verify(token),
  run: ({ trustedPublishers: publishers }, _caller, { slug }, identity) =>
    publishers.exchange(identity, slug ?? null),
});
