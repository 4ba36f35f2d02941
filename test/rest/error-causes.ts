import { Scope } from '../../src/auth/scope.js';
import type { ErrorBody, ErrorCode } from '../../src/errors.js';
import { aListing, type ConnectionJson, type Developer } from '../support/actors.js';
import { DatabaseLine } from '../support/database-line.js';
import { RawConnection } from '../support/raw-connection.js';
import { type Service, startService } from '../support/service.js';

/** A response with an error, from REST or GraphQL. */
export interface ErrorResponse {
  status: number;
  error: ErrorBody['error'];
}

/** Services that are set up so that every error code can be caused by requests. */
export class ErrorCauses {
  private constructor(
    private readonly service: Service,
    /** With rate limits, quotas and short timeouts. */
    private readonly strict: Service,
    /** With a database connection that can be cut. */
    private readonly cut: Service,
    private readonly line: DatabaseLine,
    private readonly ada: Developer,
  ) {}

  static async prepare(): Promise<ErrorCauses> {
    let line: DatabaseLine | null = null;
    const service = await startService();
    const strict = await startService({ RATE_LIMITS: 'public=1', QUOTA_APPS: '2' }, undefined, {
      timeouts: { headersMs: 200, requestMs: 200, checkIntervalMs: 20 },
    });
    const cut = await startService({}, undefined, {
      databaseVia: async (databaseUrl) => {
        line = await DatabaseLine.to(databaseUrl);
        return line.url;
      },
    });
    return new ErrorCauses(service, strict, cut, line!, await service.aDeveloper());
  }

  async close(): Promise<void> {
    await this.line.mend();
    for (const service of [this.service, this.strict, this.cut]) await service.close();
    await this.line.cut();
  }

  /** Sends a request that fails with each code. */
  readonly of: Record<ErrorCode, () => Promise<ErrorResponse>> = {
    VALIDATION_FAILED: () =>
      this.post('/api/dev/apps', { ...aListing(), name: '', screenshots: [{ url: 'board.png' }] }),
    MALFORMED_JSON: () => this.post('/api/dev/apps', '{"name": '),
    QUERY_TOO_COMPLEX: () => this.graphql(expensiveQuery, null),
    UNAUTHENTICATED: () => this.get('/api/dev/apps', null),
    INVALID_API_KEY: () => this.get('/api/dev/apps', 'mkt_no-such-key'),
    API_KEY_EXPIRED: async () => this.get('/api/dev/apps', await this.service.anExpiredKey(this.ada)),
    API_KEY_REVOKED: async () => this.get('/api/dev/apps', await this.service.aRevokedKey(this.ada)),
    INVALID_TOKEN: () => this.get('/api/dev/apps', 'eyJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl'),
    INSUFFICIENT_SCOPE: async () =>
      this.post('/api/dev/apps', aListing(), await this.service.aKey(this.ada, [Scope.APP_READ])),
    DEVELOPER_NOT_REGISTERED: async () => this.graphql('{ me { id } }', await this.service.token('newcomer')),
    DEVELOPER_NOT_VERIFIED: async () => {
      const { token } = await this.service.anUnverifiedDeveloper();
      return this.post('/api/dev/api-keys', { name: 'CI', scopes: ['APP_READ'] }, token);
    },
    DEVELOPER_SUSPENDED: async () => {
      const bob = await this.service.aDeveloper();
      const suspension = { id: bob.id, reason: 'Spam.' };
      await this.service.administer('suspendDeveloper', suspension);
      return this.get('/api/dev/apps', bob.key);
    },
    ACCOUNT_MISMATCH: async () =>
      this.post(
        '/api/dev/register',
        { accountUserId: 'someone-else', name: 'Ada', email: 'ada@example.com' },
        await this.service.token('newcomer'),
      ),
    FORBIDDEN: () => this.graphql('{ reviewCounts { total } }', this.ada.token),
    NOT_FOUND: () => this.get('/api/apps/no-such-app', null),
    METHOD_NOT_ALLOWED: async () => errorOf(await this.service.client.request('PATCH', '/api/apps')),
    REQUEST_TIMEOUT: () =>
      this.raw(this.strict, 'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{'),
    APP_APPROVED: async () => this.change('APPROVED'),
    APP_SUSPENDED: async () => this.change('SUSPENDED'),
    INVALID_TRANSITION: async () => {
      const { id } = await this.service.anApp(this.ada, 'PENDING');
      return this.post(`/api/dev/apps/${id}/submit`, {});
    },
    REVISION_CONFLICT: async () => {
      const { id } = await this.service.anApp(this.ada);
      const headers = { 'if-match': '"7"' };
      return errorOf(
        await this.service.client.request('PUT', `/api/dev/apps/${id}`, {
          bearer: this.ada.key,
          body: { name: 'New name' },
          headers,
        }),
      );
    },
    IDEMPOTENCY_CONFLICT: async () => {
      const send = (name: string) =>
        this.service.client.request('POST', '/api/dev/apps', {
          bearer: this.ada.key,
          body: aListing({ name }),
          headers: { 'idempotency-key': 'order-1' },
        });
      await send('First');
      return errorOf(await send('Second'));
    },
    REVIEW_CLAIMED: async () => {
      const { id, revision } = await this.service.anApp(this.ada, 'PENDING');
      const [first, second] = [await this.service.anAdministrator(), await this.service.anAdministrator()];
      const { reviewQueue } = await this.service.client.queryData<Queue>(
        '{ reviewQueue(first: 100) { edges { node { id app { id } } } } }',
        {},
        first.token,
      );
      const { node } = reviewQueue.edges.find((edge) => edge.node.app.id === id)!;
      await this.service.must('claimReview', { id: node.id }, first.token);
      return this.graphql(`mutation { approveApp(id: "${id}", revision: ${revision}) { id } }`, second.token);
    },
    FINDINGS_OPEN: async () => {
      const name = 'Time Tracker';
      await this.service.anApp(await this.service.aDeveloper(), 'APPROVED', { name });
      const { id, revision } = await this.service.anApp(this.ada, 'PENDING', { name });
      const admin = await this.service.admin();
      return this.graphql(`mutation { approveApp(id: "${id}", revision: ${revision}) { id } }`, admin);
    },
    QUOTA_EXCEEDED: async () => {
      const bob = await this.strict.aDeveloper();
      await this.strict.anApp(bob);
      await this.strict.anApp(bob);
      return errorOf(
        await this.strict.client.request('POST', '/api/dev/apps', { bearer: bob.key, body: aListing() }),
      );
    },
    DEVELOPER_EXISTS: () =>
      this.post(
        '/api/dev/register',
        { accountUserId: this.ada.accountUserId, name: 'Ada', email: 'another@example.com' },
        this.ada.token,
      ),
    EMAIL_TAKEN: async () => {
      const account = 'second-account';
      return this.post(
        '/api/dev/register',
        { accountUserId: account, name: 'Ada', email: this.ada.email },
        await this.service.token(account),
      );
    },
    PAYLOAD_TOO_LARGE: () => this.post('/api/dev/apps', { name: 'x'.repeat(300_000) }),
    UNSUPPORTED_MEDIA_TYPE: async () =>
      errorOf(
        await this.service.client.request('POST', '/api/dev/apps', {
          bearer: this.ada.key,
          body: 'name=Notes',
          headers: { 'content-type': 'text/plain' },
        }),
      ),
    RATE_LIMITED: async () => {
      await this.strict.client.request('GET', '/api/apps');
      return errorOf(await this.strict.client.request('GET', '/api/apps'));
    },
    HEADERS_TOO_LARGE: () =>
      this.raw(this.service, `GET / HTTP/1.1\r\nHost: x\r\nCookie: ${'x'.repeat(20_000)}\r\n\r\n`),
    INTERNAL: async () => {
      await this.cut.sql('alter table apps rename column banner_url to renamed');
      return errorOf(await this.cut.client.request('GET', '/api/apps'));
    },
    UNAVAILABLE: async () => {
      await this.line.cut();
      return errorOf(await this.cut.client.request('GET', '/api/apps/categories/list'));
    },
  };

  private async get(path: string, bearer: string | null): Promise<ErrorResponse> {
    return errorOf(await this.service.client.request('GET', path, { bearer }));
  }

  private async post(path: string, body: unknown, bearer = this.ada.key): Promise<ErrorResponse> {
    return errorOf(await this.service.client.request('POST', path, { bearer, body }));
  }

  private async graphql(query: string, bearer: string | null): Promise<ErrorResponse> {
    const response = await this.service.client.request('POST', '/graphql', { bearer, body: { query } });
    const { errors } = (await response.json()) as {
      errors: { message: string; extensions: ErrorBody['error'] }[];
    };
    const { message, extensions } = errors[0]!;
    return { status: response.status, error: { ...extensions, message } };
  }

  private async raw({ url }: Service, bytes: string): Promise<ErrorResponse> {
    const { status, body } = await new RawConnection(url).send(bytes).readUntilClosed();
    return { status, ...(JSON.parse(body) as ErrorBody) };
  }

  private async change(status: 'APPROVED' | 'SUSPENDED'): Promise<ErrorResponse> {
    const { id } = await this.service.anApp(this.ada, status);
    return errorOf(
      await this.service.client.request('PUT', `/api/dev/apps/${id}`, {
        bearer: this.ada.key,
        body: { name: 'New' },
      }),
    );
  }
}

interface Queue {
  reviewQueue: ConnectionJson<{ id: string; app: { id: string } }>;
}

const page = 'apps(first: 100) { edges { node { name } } }';
const expensiveQuery = `{ ${Array.from({ length: 41 }, (_, index) => `page${index}: ${page}`).join(' ')} }`;

const errorOf = async (response: Response): Promise<ErrorResponse> => ({
  status: response.status,
  ...((await response.json()) as ErrorBody),
});
