import { Scope } from '../../src/modules/api-keys/api-key.entity.js';
import type { Doors, Input } from './doors.js';

export type AppStatus = 'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED' | 'SUSPENDED';
export type Json = Record<string, unknown> & { id: string };
export type AppJson = Json & { slug: string; revision: number; status: AppStatus };

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

/** Different each time, across test files too. */
export const unique = (stem: string) => `${stem}-${crypto.randomUUID().slice(0, 13)}`;

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

/** The people of a test: they act through the API alone, as people do. */
export class Actors {
  private adminToken: Promise<string> | null = null;

  constructor(
    private readonly api: Doors,
    private readonly query: (text: string, values?: unknown[]) => Promise<unknown[]>,
  ) {}

  async token(accountUserId: string, options: { admin?: boolean } = {}): Promise<string> {
    const response = await this.api.request('POST', '/dev/token', { body: { accountUserId, ...options } });
    const { accessToken } = (await response.json()) as { accessToken: string };
    return accessToken;
  }

  admin(): Promise<string> {
    this.adminToken ??= this.token('the-administrator', { admin: true });
    return this.adminToken;
  }

  async anUnverifiedDeveloper(profile: Input = {}): Promise<Developer> {
    const accountUserId = unique('account');
    const token = await this.token(accountUserId);
    const email = `${accountUserId}@example.com`;
    const { id } = await this.api.must<Json>(
      'registerDeveloper',
      { accountUserId, name: 'Ada', email, ...profile },
      token,
    );
    return { id, accountUserId, email, token, key: '' };
  }

  async aDeveloper(profile: Input = {}): Promise<Developer> {
    const developer = await this.anUnverifiedDeveloper(profile);
    await this.api.must('verifyDeveloper', { id: developer.id }, await this.admin());
    return { ...developer, key: await this.aKey(developer) };
  }

  async aKey(developer: Developer, scopes: readonly Scope[] = allScopes): Promise<string> {
    return (await this.anIssuedKey(developer, scopes)).key;
  }

  async anIssuedKey(
    developer: Developer,
    scopes: readonly Scope[] = allScopes,
  ): Promise<Json & { key: string }> {
    return this.api.must('createApiKey', { name: 'A key', scopes }, developer.token);
  }

  async anExpiredKey(developer: Developer): Promise<string> {
    const { id, key } = await this.anIssuedKey(developer);
    await this.query("update api_keys set expires_at = now() - interval '1 minute' where id = $1", [id]);
    return key;
  }

  async aRevokedKey(developer: Developer): Promise<string> {
    const { id, key } = await this.anIssuedKey(developer);
    await this.api.must('revokeApiKey', { id }, developer.token);
    return key;
  }

  /** An app in any state, brought there by the acts that lead there. */
  async anApp(developer: Developer, status: AppStatus = 'DRAFT', listing: Input = {}): Promise<AppJson> {
    let app = await this.api.must<AppJson>(
      'createApp',
      aListing({ name: unique('App'), ...listing }),
      developer.token,
    );
    const { id, revision } = app;
    const admin = await this.admin();
    if (status !== 'DRAFT') app = await this.api.must('submitApp', { id }, developer.token);
    if (status === 'REJECTED') app = await this.api.must('rejectApp', { id, ...aRejection(revision) }, admin);
    if (status === 'APPROVED' || status === 'SUSPENDED')
      app = await this.api.must('approveApp', { id, revision }, admin);
    if (status === 'SUSPENDED')
      app = await this.api.must('suspendApp', { id, reason: 'It misbehaves.' }, admin);
    return app;
  }

  /** A version of an app that is live, as a draft or submitted. */
  async aVersion(
    developer: Developer,
    status: 'DRAFT' | 'PENDING' = 'DRAFT',
    changes: Input = {},
  ): Promise<AppJson> {
    const app = await this.anApp(developer, 'APPROVED');
    const version = await this.api.must<AppJson>(
      'createAppVersion',
      { appId: app.id, name: unique('New'), ...changes },
      developer.token,
    );
    return status === 'DRAFT'
      ? version
      : this.api.must('submitAppVersion', { id: version.id }, developer.token);
  }
}

export const aRejection = (revision: number): Input => ({
  revision,
  reasons: [{ code: 'INCOMPLETE', field: 'description', message: 'It says too little.' }],
  guidance: 'Say what it does.',
});
