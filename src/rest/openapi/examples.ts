import type { OperationName } from '../../contract.js';

const developer = {
  id: '0198c5b0-7a60-7c1e-8f5e-9d491f8f6a1f',
  createdAt: '2026-03-02T09:30:00.000Z',
  updatedAt: '2026-03-02T11:05:12.481Z',
  accountUserId: 'ada',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  emailProven: true,
  emailLost: false,
  companyName: 'Analytical Engines Ltd',
  websiteUrl: 'https://engines.example',
  bio: null,
  status: 'VERIFIED',
  verifiedAt: '2026-03-02T11:05:12.481Z',
};
const profile = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  companyName: 'Analytical Engines Ltd',
  websiteUrl: 'https://engines.example',
};

const apiKey = {
  id: '0198c5b2-11d4-7b0a-9c3e-3f1d0f6f2f11',
  createdAt: '2026-03-02T12:00:00.000Z',
  name: 'Build server',
  scopes: ['APP_CREATE', 'APP_READ', 'APP_UPDATE'],
  maskedKey: 'mkt_4fQz…0a9B',
  expiresAt: '2026-05-31T12:00:00.000Z',
  lastUsedAt: null,
  revokedAt: null,
  status: 'ACTIVE',
};

const screenshots = [
  { url: 'https://engines.example/board.png', caption: 'The board', order: 0 },
  { url: 'https://engines.example/report.png', caption: null, order: 1 },
];
const listing = {
  name: 'Time Tracker',
  description: 'Tracks the time you spend on each task.',
  longDescription: '# Time Tracker\n\nStart a timer on any task.',
  category: 'PRODUCTIVITY',
  environment: 'production',
  logoUrl: 'https://engines.example/logo.png',
  bannerUrl: null,
  websiteUrl: 'https://engines.example/time-tracker',
};
const app = {
  id: '0198c5b4-3c1e-7f5e-9d49-1f8f6a1f0b3a',
  createdAt: '2026-03-03T08:00:00.000Z',
  updatedAt: '2026-03-03T08:00:00.000Z',
  slug: 'time-tracker',
  ...listing,
  oauthClientId: null,
  screenshots,
  status: 'DRAFT',
  featured: false,
  installCount: 0,
  reviewCount: 0,
  averageRating: 0,
  revision: 1,
  submittedAt: null,
  approvedAt: null,
  rejection: null,
};
const {
  oauthClientId: _client,
  revision: _revision,
  submittedAt: _submitted,
  rejection: _rejection,
  ...visible
} = app;
const publicApp = {
  ...visible,
  status: 'APPROVED',
  featured: true,
  installCount: 128,
  approvedAt: '2026-03-04T10:15:00.000Z',
  developer: { name: developer.name, companyName: developer.companyName, websiteUrl: developer.websiteUrl },
};

/** Example request and response of each route; a test validates them against the schemas. */
export const examples: Partial<Record<OperationName, { request?: object; response: object }>> = {
  registerDeveloper: {
    request: { ...profile, accountUserId: 'ada' },
    response: { ...developer, status: 'UNVERIFIED', verifiedAt: null },
  },
  me: { response: developer },
  updateMe: { request: { companyName: 'Analytical Engines Ltd', bio: null }, response: developer },
  createApiKey: {
    request: { name: apiKey.name, scopes: apiKey.scopes, expiresInDays: 90 },
    response: { ...apiKey, key: 'mkt_4fQzEXAMPLEEXAMPLEEXAMPLEEXAMPLE000a9B' },
  },
  myApiKeys: { response: { apiKeys: [apiKey] } },
  revokeApiKey: { response: { ...apiKey, revokedAt: '2026-03-05T16:20:00.000Z', status: 'REVOKED' } },
  createApp: { request: { ...listing, screenshots }, response: app },
  myApps: { response: { apps: [app] } },
  myApp: { response: app },
  updateApp: {
    request: { description: 'Tracks the time that you spend on each task.', bannerUrl: null },
    response: { ...app, revision: 2 },
  },
  submitApp: { response: { ...app, status: 'PENDING', submittedAt: '2026-03-03T09:00:00.000Z' } },
  deleteApp: { response: { id: app.id, deleted: true } },
  appAnalytics: {
    response: { installCount: 128, reviewCount: 0, averageRating: 0, status: 'APPROVED', featured: true },
  },
  browseApps: {
    response: { apps: [publicApp], pagination: { page: 1, limit: 20, total: 1, totalPages: 1 } },
  },
  app: { response: publicApp },
  recordInstall: {
    request: { installationId: 'workspace-42', version: '1.4.0' },
    response: { slug: 'time-tracker', installCount: 129 },
  },
  featuredApps: { response: { apps: [publicApp] } },
  categories: { response: { categories: [{ category: 'PRODUCTIVITY', count: 1 }] } },
};

/** Example value of each path and query parameter. */
export const parameterExamples: Record<string, unknown> = {
  id: app.id,
  slug: publicApp.slug,
  category: 'PRODUCTIVITY',
  environment: 'production',
  featured: true,
  search: 'time tracker',
  sort: 'popular',
  page: 1,
  limit: 20,
};
