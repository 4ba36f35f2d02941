import { expect } from '@jest/globals';
import type { Developer } from '../support/actors.js';
import { DatabaseLine } from '../support/database-line.js';
import type { GraphQLBody, Input } from '../support/doors.js';
import { type Service, startService } from '../support/service.js';

/** A request as an attacker would write it. */
export interface Sent {
  method?: string;
  path?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Somebody with a key who means harm, and who hears whatever reaches the database meanwhile. */
export class Attacker {
  private constructor(
    readonly service: Service,
    readonly line: DatabaseLine,
    readonly developer: Developer,
  ) {}

  static async arrive(): Promise<Attacker> {
    let line: DatabaseLine | undefined;
    const service = await startService({}, undefined, {
      databaseVia: async (databaseUrl) => {
        line = await DatabaseLine.to(databaseUrl);
        return line.url;
      },
    });
    return new Attacker(service, line!, await service.aDeveloper());
  }

  async leave(): Promise<void> {
    await this.service.close();
    await this.line.cut();
  }

  async send({ method = 'POST', path = '/graphql', body, headers = {} }: Sent) {
    const { key } = this.developer;
    const response = await this.service.doors.request(method, path, { body, headers, bearer: key });
    const text = await response.text();
    const { status } = response;
    return { status, text, headers: response.headers, body: JSON.parse(text) as GraphQLBody };
  }

  /** What the work has PostgreSQL do. */
  async statements(work: () => Promise<unknown>): Promise<string[]> {
    const heard = await this.line.listenIn(work);
    return heard.filter((statement) => !/pgboss|last_used_at/.test(statement));
  }

  /** What was answered, and that nothing ran for it: no statement reached the database. */
  async refused(sent: Sent) {
    const answers: Awaited<ReturnType<Attacker['send']>>[] = [];
    expect(await this.statements(async () => answers.push(await this.send(sent)))).toEqual([]);
    return answers[0]!;
  }
}

/** A question by POST. */
export const ask = (query: string, variables: Input = {}): Sent => ({ body: { query, variables } });

/** A question by GET. */
export const byGet = (search: Record<string, string>, headers = {}): Sent => ({
  method: 'GET',
  path: `/graphql?${new URLSearchParams(search)}`,
  headers,
});
