import type { ResultOf } from 'gql.tada';
import { graphql } from '../client/graphql.ts';
import { inPlainWords } from '../client/words.ts';

const FindingFields = graphql(`
  fragment DeskFinding on Finding {
    field
    severity
    code
    message
    fix
    needsReason
    about {
      id
      name
      description
      category
      logoUrl
      bannerUrl
      installCount
      screenshots { url }
      developer { id name companyName }
    }
  }
`);

const RejectionFields = graphql(`
  fragment DeskRejection on Rejection {
    rejectedAt
    guidance
    reasons { code field message addressed }
  }
`);

const AllowedFields = graphql(`
  fragment DeskAllowed on AllowedAction { action allowed code message }
`);

const DeveloperFields = graphql(`
  fragment DeskDeveloperSummary on Developer {
    id
    accountUserId
    name
    companyName
    email
    emailProven
    emailLost
    websiteUrl
    bio
    status
    verifiedAt
    createdAt
    lookalikes { id name companyName status }
    apps(first: 6) {
      totalCount
      edges { node { id name status } }
    }
  }
`);

const MessageFields = graphql(`
  fragment DeskMessage on ReviewMessage { id author createdAt text }
`);

export const HistoryFields = graphql(
  `
  fragment DeskHistory on App {
    submissions(first: 20) {
      totalCount
      edges {
        node {
          id
          submittedAt
          decidedAt
          outcome
          reviewer
          note
          version { id name versionNumber }
          rejection { ...DeskRejection }
        }
      }
    }
    timeline(last: 30) {
      totalCount
      edges {
        node {
          id
          at
          by
          eventKind
          message
          changes { field before after }
          reasons { code field message addressed }
        }
      }
    }
    messages(last: 50) {
      totalCount
      edges { node { ...DeskMessage } }
    }
  }
`,
  [RejectionFields, MessageFields],
);

const ItemFields = graphql(
  `
  fragment DeskReviewItem on ReviewQueueItem {
    id
    submittedAt
    dueAt
    overdue
    lastReviewedRevision
    claim { by until }
    changes { field before after }
    itemFindings: findings { ...DeskFinding }
    developer { ...DeskDeveloperSummary }
    app {
      id
      revision
      slug
      status
      environment
      name
      description
      longDescription
      category
      websiteUrl
      logoUrl
      bannerUrl
      oauthClientId
      screenshots { url caption }
      versionNumber
      releaseNotes
      images { field ok }
      rejection { ...DeskRejection }
      allowedActions { ...DeskAllowed }
      ...DeskHistory
    }
    version {
      id
      revision
      name
      description
      longDescription
      category
      websiteUrl
      logoUrl
      bannerUrl
      oauthClientId
      screenshots { url caption }
      versionNumber
      releaseNotes
      images { field ok }
      conflicts { field base live proposed }
      rejection { ...DeskRejection }
      allowedActions { ...DeskAllowed }
    }
  }
`,
  [FindingFields, DeveloperFields, RejectionFields, AllowedFields, HistoryFields],
);

/** Reads a submission by its own id. Those of apps and versions lead to it. */
export const Review = graphql(
  `
  query DeskReview($id: ID!) {
    node(id: $id) {
      __typename
      ...DeskReviewItem
      ... on Submission {
        id
        submittedAt
        decidedAt
        outcome
        reviewer
        app { id name }
        version { id name }
      }
      ... on App {
        id
        name
        openSubmissions: submissions(first: 1) { edges { node { id outcome } } }
      }
      ... on AppVersion { id name }
    }
  }
`,
  [ItemFields],
);

export type ReviewItem = Extract<
  NonNullable<ResultOf<typeof Review>['node']>,
  { __typename: 'ReviewQueueItem' }
>;
export type DecidedSubmission = Extract<
  NonNullable<ResultOf<typeof Review>['node']>,
  { __typename: 'Submission' }
>;
export type FindingData = ReviewItem['itemFindings'][number];
export type HistoryData = Pick<ReviewItem['app'], 'submissions' | 'timeline' | 'messages'>;
export type RejectionData = NonNullable<ReviewItem['app']['rejection']>;
export type DeveloperData = ReviewItem['developer'];

/** Returns the listing under review: that of the version, or that of the app. */
export const subjectOf = ({ app, version }: ReviewItem) => version ?? app;

/** Returns the last rejection, also that of a version that was discarded since; null after an approval. */
export function lastRejectionOf({ app, version }: ReviewItem): RejectionData | null {
  if (!version) return app.rejection;
  const decided = app.submissions.edges.find(({ node }) => node.decidedAt !== null)?.node;
  return version.rejection ?? (decided?.version ? decided.rejection : null);
}

/** Returns the reasons of the last rejection that the developer has not marked as fixed. */
export const openReasonsOf = (item: ReviewItem): RejectionData['reasons'] =>
  lastRejectionOf(item)?.reasons.filter(({ addressed }) => !addressed) ?? [];
export type SubjectData = ReturnType<typeof subjectOf>;

/** Returns whether the administrator may do something, and otherwise why not. */
export function permissionOf(
  actions: readonly { action: string; allowed: boolean; message: string | null }[],
  name: string,
): { isAllowed: boolean; message: string | null } {
  const found = actions.find(({ action }) => action === name);
  return { isAllowed: found?.allowed ?? false, message: found?.message ? inPlainWords(found.message) : null };
}
