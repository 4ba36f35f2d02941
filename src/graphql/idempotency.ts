import type { EntityManager } from '@mikro-orm/postgresql';
import type { ClassType } from 'type-graphql';
import { Idempotency, keyConflict, type StoredResponse } from '../operations/idempotency.js';
import type { AnyOperation } from '../operations/operation.js';
import type { RawInput } from '../operations/parse-input.js';
import type { RequestContext } from '../server/request-context.js';

/**
 * Stores what a mutation with an Idempotency-Key has made (D425). The fields of a repeated request are selected anew, so
 * only the id is stored.
 */
export class GraphQLIdempotency extends Idempotency<unknown> {
  constructor(
    operation: AnyOperation,
    input: RawInput,
    key: string,
    private readonly context: RequestContext,
  ) {
    const content = JSON.stringify(input);
    super(operation, { key, address: context.address, content }, ['graphql', operation.name]);
  }

  protected responseTo(result: unknown) {
    const id = result !== null && typeof result === 'object' && 'id' in result ? result.id : null;
    return { response: result, status: 200, etag: null, body: JSON.stringify({ id }) };
  }

  protected async replay({ body }: StoredResponse, em: EntityManager | null): Promise<unknown> {
    const stored = JSON.parse(body ?? '{}');
    const result = em ? await this.read(em, stored.id) : stored;
    this.context.responseHeaders['idempotent-replayed'] = 'true';
    return result;
  }

  private async read(em: EntityManager, id: string | null): Promise<unknown> {
    const output = this.operation.output as ClassType<{ id: string | null }>;
    const found = await em.findOne(output, { id });
    if (found) return found;
    throw keyConflict('handled', 'This request was handled before, and what it made has been deleted since.');
  }
}
