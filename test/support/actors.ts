import { Scope } from '../../src/auth/scope.js';
import type { OperationName } from '../../src/contract.js';
import type { ApiClient, Input, Outcome } from './api-client.js';

export type AppStatus = 'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED' | 'SUSPENDED';
export type VersionStatus = 'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED' | 'DISCARDED';
export type Json = Record<string, unknown> & { id: string };
export type AppJson = Json & { slug: string; revision: number; status: AppStatus };
export type VersionJson = Json & {
  revision: number;
  status: VersionStatus;
  changes: { field: string; before: string | null; after: string | null }[];
};

/** A page of a list. */
export interface ConnectionJson<Node = Json> {
  edges: { node: Node; cursor: string }[];
  totalCount: number;
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
}

/** A rating, and who gave it. */
export type RatingJson = Json & { accountUserId: string; token: string };

export const allScopes: Scope[] = Object.values(Scope);

export const twoScreenshots = [
  { url: 'https://pictures.example/one.png' },
  { url: 'https://pictures.example/two.png', caption: 'Two' },
];

/** A listing that is complete enough to be submitted. */
export const aListing = (fields: Input = {}): Input => ({
  name: 'Time Tracker',
  description: 'Tracks the time you spend on each task.',
  category: 'PRODUCTIVITY',
  environment: 'production',
  screenshots: twoScreenshots,
  ...fields,
});

/** Many tests use the same names, and approve them nevertheless. */
export const nevertheless: Input = { acknowledge: ['duplicate'], reason: 'Many tests use this name.' };

/** Different each time, across test files too. */
export const unique = (stem: string) => `${stem}-${crypto.randomUUID().slice(0, 13)}`;

/** Starts an act this many times at once, and waits for all results. */
export const atOnce = <T>(count: number, act: (index: number) => Promise<T> | T): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)));

/** A developer, and what they hold. */
export interface Developer {
  id: string;
  accountUserId: string;
  email: string;
  /** Their account token. */
  token: string;
  /** A key with every scope; only a verified developer has one. */
  key: string;
}

/** An administrator, who reviews by account token. */
export interface Administrator {
  accountUserId: string;
  email: string;
  token: string;
}

/** The people of a test: they act through the API alone, as people do. */
export class Actors {
  private adminToken: Promise<string> | null = null;

  constructor(
    readonly client: ApiClient,
    private readonly query: (text: string, values?: unknown[]) => Promise<unknown[]>,
  ) {}

  /** Calls an operation over GraphQL, which may fail. */
  call<T = Record<string, unknown>>(
    name: OperationName,
    input: Input = {},
    bearer: string | null = null,
  ): Promise<Outcome<T>> {
    return this.client.call<T>('graphql', name, input, bearer);
  }

  /** Calls an operation, and requires success. */
  must<T = Record<string, unknown>>(
    name: OperationName,
    input: Input = {},
    bearer: string | null = null,
  ): Promise<T> {
    return this.client.must<T>(name, input, bearer);
  }

  async token(
    accountUserId: string,
    options: { admin?: boolean; email?: string; emailVerified?: boolean; name?: string } = {},
  ): Promise<string> {
    const response = await this.client.request('POST', '/dev/token', { body: { accountUserId, ...options } });
    const { accessToken } = (await response.json()) as { accessToken: string };
    return accessToken;
  }

  admin(): Promise<string> {
    this.adminToken ??= this.token('the-administrator', { admin: true });
    return this.adminToken;
  }

  /** Lets the administrator act, and requires success. */
  async administer<T = Record<string, unknown>>(name: OperationName, input: Input = {}): Promise<T> {
    return this.must<T>(name, input, await this.admin());
  }

  /** Lets the administrator call an operation, which may fail. */
  async callAsAdmin<T = Record<string, unknown>>(
    name: OperationName,
    input: Input = {},
  ): Promise<Outcome<T>> {
    return this.call<T>(name, input, await this.admin());
  }

  /** One more administrator: claims are about who of them it is. */
  async anAdministrator(): Promise<Administrator> {
    const accountUserId = unique('administrator');
    const email = `${accountUserId}@market.example`;
    return { accountUserId, email, token: await this.token(accountUserId, { admin: true, email }) };
  }

  /** The same person with the administrator's role: one who could review their own app. */
  async asAdministrator({ accountUserId }: Pick<Developer, 'accountUserId'>): Promise<string> {
    return this.token(accountUserId, { admin: true });
  }

  async anUnverifiedDeveloper(profile: Input = {}): Promise<Developer> {
    const accountUserId = unique('account');
    const token = await this.token(accountUserId);
    const email = `${accountUserId}@example.com`;
    const { id } = await this.must<Json>(
      'registerDeveloper',
      { accountUserId, name: 'Ada', email, ...profile },
      token,
    );
    return { id, accountUserId, email, token, key: '' };
  }

  async aDeveloper(profile: Input = {}, scopes: readonly Scope[] = allScopes): Promise<Developer> {
    const developer = await this.anUnverifiedDeveloper(profile);
    await this.must('verifyDeveloper', { id: developer.id }, await this.admin());
    return { ...developer, key: await this.aKey(developer, scopes) };
  }

  async aKey(developer: Developer, scopes: readonly Scope[] = allScopes): Promise<string> {
    return (await this.anIssuedKey(developer, scopes)).key;
  }

  async anIssuedKey(
    developer: Developer,
    scopes: readonly Scope[] = allScopes,
  ): Promise<Json & { key: string }> {
    return this.must('createApiKey', { name: 'A key', scopes }, developer.token);
  }

  async anExpiredKey(developer: Developer): Promise<string> {
    const { id, key } = await this.anIssuedKey(developer);
    await this.query("update api_keys set expires_at = now() - interval '1 minute' where id = $1", [id]);
    return key;
  }

  async aRevokedKey(developer: Developer): Promise<string> {
    const { id, key } = await this.anIssuedKey(developer);
    await this.must('revokeApiKey', { id }, developer.token);
    return key;
  }

  /** An app in any state, brought there by the acts that lead there. */
  async anApp(developer: Developer, status: AppStatus = 'DRAFT', listing: Input = {}): Promise<AppJson> {
    let app = await this.must<AppJson>(
      'createApp',
      aListing({ name: unique('App'), ...listing }),
      developer.token,
    );
    const { id, revision } = app;
    const admin = await this.admin();
    if (status !== 'DRAFT') app = await this.must('submitApp', { id }, developer.token);
    if (status === 'REJECTED') app = await this.must('rejectApp', { id, ...aRejection(revision) }, admin);
    if (status === 'APPROVED' || status === 'SUSPENDED')
      app = await this.must('approveApp', { id, revision, ...nevertheless }, admin);
    if (status === 'SUSPENDED') app = await this.must('suspendApp', { id, reason: 'It misbehaves.' }, admin);
    return app;
  }

  /** A rating by a new account. */
  async aRating({ slug }: Pick<AppJson, 'slug'>, opinion: Input = {}): Promise<RatingJson> {
    const accountUserId = unique('user');
    const token = await this.token(accountUserId);
    const rating = await this.must<Json>('rateApp', { slug, rating: 4, ...opinion }, token);
    return { ...rating, accountUserId, token };
  }

  /** A version of an approved app, in any state, brought there by the acts that lead there. */
  async aVersion(
    developer: Developer,
    status: VersionStatus = 'DRAFT',
    changes: Input = { description: 'It tracks even more.' },
  ): Promise<{ app: AppJson; version: VersionJson }> {
    const app = await this.anApp(developer, 'APPROVED');
    const { token } = developer;
    let version = await this.must<VersionJson>('createAppVersion', { appId: app.id, ...changes }, token);
    const { id, revision } = version;
    const admin = await this.admin();
    if (status === 'DISCARDED') version = await this.must('discardAppVersion', { id }, token);
    else if (status !== 'DRAFT') version = await this.must('submitAppVersion', { id }, token);
    if (status === 'REJECTED')
      version = await this.must('rejectAppVersion', { id, ...aRejection(revision) }, admin);
    if (status === 'APPROVED')
      version = await this.must('approveAppVersion', { id, revision, ...nevertheless }, admin);
    return { app, version };
  }
}

export const aRejection = (revision: number): Input => ({
  revision,
  reasons: [{ code: 'INCOMPLETE', field: 'description', message: 'It says too little.' }],
  guidance: 'Say what it does.',
});
