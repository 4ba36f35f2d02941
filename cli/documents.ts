import { changeableFields } from './listing-file.js';

/** Selects all fields of a listing. */
const listing = changeableFields
  .map((field) => (field === 'screenshots' ? 'screenshots { url caption order }' : field))
  .join(' ');
const finding = 'field severity code message fix';
const submitted = `
  status revision submittedAt
  rejection { guidance rejectedAt reasons { code field message } }
  findings { ${finding} }
  review { stage position ahead submittedAt dueAt etaP50 etaP90 }`;
const app = `
  id slug environment ${listing} ${submitted} updatedAt
  openVersion { id ${listing} ${submitted} changes { field before after } conflicts { field base live proposed } }`;

export const appBySlug = `query App($slug: String!) { myAppBySlug(slug: $slug) { ${app} } }`;

export const ownApps = 'query OwnApps { myApps { id slug name environment status } }';

export const preflightListing = `query Check($input: PreflightListingInput!) {
  preflightListing(input: $input) { ready findings { ${finding} } images { field url ok width height bytes type } }
}`;

export const updateApp = `mutation UpdateApp($id: ID!, $revision: Int!, $input: UpdateAppInput!) {
  updateApp(id: $id, revision: $revision, input: $input) { id slug status revision }
}`;

export const createAppVersion = `mutation CreateVersion($appId: ID!, $revision: Int!, $input: CreateAppVersionInput!) {
  createAppVersion(appId: $appId, revision: $revision, input: $input) { id status revision }
}`;

export const updateAppVersion = `mutation UpdateVersion($id: ID!, $revision: Int!, $input: UpdateAppVersionInput!) {
  updateAppVersion(id: $id, revision: $revision, input: $input) { id status revision }
}`;

export const submitAppVersion = `mutation SubmitVersion($id: ID!, $revision: Int!) {
  submitAppVersion(id: $id, revision: $revision) { id status revision }
}`;

export const withdrawApp = 'mutation Withdraw($id: ID!) { withdrawApp(id: $id) { id status } }';

export const withdrawAppVersion =
  'mutation WithdrawVersion($id: ID!) { withdrawAppVersion(id: $id) { id status } }';

export const appChanged = 'subscription AppChanged($id: ID!) { appChanged(id: $id) { app { id } } }';

export const whoAmI = `query WhoAmI {
  viewer {
    accountUserId
    developer { id name companyName status }
    apiKey { name maskedKey scopes expiresAt }
  }
}`;

export const exchangePublisherToken = `mutation Exchange($token: String!, $slug: String) {
  exchangePublisherToken(token: $token, slug: $slug) { key }
}`;
