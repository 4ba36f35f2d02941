import { expect } from '@jest/globals';
import type { Developer } from '../support/actors.js';
import type { GraphQLBody, Input } from '../support/api-client.js';
import { DatabaseLine } from '../support/database-line.js';
import { type Service, startService } from '../support/service.js';

export interface GraphQLRequest {
  method?: string;
  path?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A developer who sends GraphQL requests to a service whose database statements are recorded. */
export class GraphQLClient {
  private constructor(
    readonly service: Service,
    private readonly line: DatabaseLine,
    readonly developer: Developer,
  ) {}

  static async start(): Promise<GraphQLClient> {
    let line: DatabaseLine | undefined;
    const service = await startService({}, undefined, {
      databaseVia: async (databaseUrl) => {
        line = await DatabaseLine.to(databaseUrl);
        return line.url;
      },
    });
    return new GraphQLClient(service, line!, await service.aDeveloper());
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.line.cut();
  }

  async send({ method = 'POST', path = '/graphql', body, headers = {} }: GraphQLRequest) {
    const { key } = this.developer;
    const response = await this.service.client.request(method, path, { body, headers, bearer: key });
    const text = await response.text();
    const { status } = response;
    return { status, text, headers: response.headers, body: JSON.parse(text) as GraphQLBody };
  }

  /** Returns the statements that reach the database meanwhile, without those of jobs. */
  async statements(work: () => Promise<unknown>): Promise<string[]> {
    const statements = await this.line.listenIn(work);
    return statements.filter((statement) => !/pgboss|last_used_at/.test(statement));
  }

  /** Sends a request that must be rejected before any statement reaches the database. */
  async sendRejected(request: GraphQLRequest) {
    const responses: Awaited<ReturnType<GraphQLClient['send']>>[] = [];
    expect(await this.statements(async () => responses.push(await this.send(request)))).toEqual([]);
    return responses[0]!;
  }
}

export const postRequest = (query: string, variables: Input = {}): GraphQLRequest => ({
  body: { query, variables },
});

export const getRequest = (search: Record<string, string>, headers = {}): GraphQLRequest => ({
  method: 'GET',
  path: `/graphql?${new URLSearchParams(search)}`,
  headers,
});
