import { describe, expect, it } from '@jest/globals';
import { type OperationName, operations } from '../../src/contract.js';
import { rules } from './rules.js';

const lists = 'The model has no cursors; its pages are those of browseApps and adminApps.';
const webhooks = 'What is sent to receivers is the subject of test/modules/webhooks.';
const versions = 'The model has no versions: their rules are in test/modules/versions and test/races.';
const ratings = 'The model has no ratings: their figures are recounted in test/races/ratings.';
const changes = 'A subscription reports what other operations change; see test/graphql/streams.';

/** The operations that the model does not play, each with the reason. */
const outside: Partial<Record<OperationName, string>> = {
  apps: lists,
  administrators: 'Names change nothing that others depend on.',
  auditLog: 'What each operation records is the subject of test/modules/audit.',
  developers: lists,
  events: 'What each operation records is the subject of test/modules/audit.',
  node: 'Every type is looked up in test/modules/nodes.',
  nodes: 'Every type is looked up in test/modules/nodes.',
  suggest: 'The model has no search.',
  similarApps: 'The model has no search.',
  rejectionReasons: 'It is constant.',
  preflight: 'The model has no images; findings are compared in reviewQueue.',
  preflightListing: 'The model has no images; findings are compared in reviewQueue.',
  myAppBySlug: 'It shows what myApp shows.',
  addTrustedPublisher: 'Pipelines are the subject of test/modules/trusted-publishers.',
  trustedPublishers: 'Pipelines are the subject of test/modules/trusted-publishers.',
  removeTrustedPublisher: 'Pipelines are the subject of test/modules/trusted-publishers.',
  exchangePublisherToken: 'Pipelines are the subject of test/modules/trusted-publishers.',
  rotateApiKey: 'Grace periods need a clock, which the model does not have.',
  keyChanges: 'What was done with a key is the subject of test/attacks/leaked-keys.',
  undoKeyChanges: 'What was done with a key is the subject of test/attacks/leaked-keys.',
  undoProfileChange: 'What was done with a key is the subject of test/attacks/leaked-keys.',
  editDeveloper: 'What a name may be is the subject of test/attacks/names.',
  reportLeakedKey: 'The model does not know which key made which.',
  claimReview: 'claimNext claims in the model; two administrators meet in test/races/claims.',
  releaseReview: 'claimNext claims in the model; two administrators meet in test/races/claims.',
  reviewItem: 'It shows what reviewQueue shows.',
  reviewCounts: 'It counts what reviewQueue lists.',
  reviewStats: 'Its days and medians need a clock, which the model does not have.',
  addressReason: 'It changes nothing that others depend on.',
  messageDeveloper: 'Messages change nothing that others depend on.',
  messageReviewers: 'Messages change nothing that others depend on.',
  reportApp: 'Reports change nothing that others depend on.',
  appReports: 'Reports change nothing that others depend on.',
  dismissAppReports: 'Reports change nothing that others depend on.',
  appChanged: changes,
  catalogChanged: changes,
  reviewQueueChanged: changes,
  ...Object.fromEntries(
    operations
      .filter(([name]) => /webhook/i.test(name))
      .map(([name]): [OperationName, string] => [name, webhooks]),
  ),
  ...Object.fromEntries(
    operations
      .filter(([name]) => /AppVersion$/.test(name))
      .map(([name]): [OperationName, string] => [name, versions]),
  ),
  ...Object.fromEntries(
    operations
      .filter(([name]) => /rat(e|ing|ings|ingreports)$|^rateApp$/i.test(name))
      .map(([name]): [OperationName, string] => [name, ratings]),
  ),
};

describe('the model', () => {
  it('plays every operation, or names the reason why not', () => {
    const played = Object.keys(rules);
    const missing = operations
      .map(([name]) => name)
      .filter((name) => !played.includes(name) && !outside[name]);
    expect(missing).toEqual([]);
    expect(Object.keys(outside).filter((name) => played.includes(name))).toEqual([]);
  });
});
