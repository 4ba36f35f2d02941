import { expect } from '@jest/globals';
import pg from 'pg';
import { type Statement, sessionSettings } from '../../../src/db/reader.js';
import type { SearchVariant } from '../../../src/modules/catalog/search-hits.queries.js';

interface Row {
  id: string | null;
  total?: number;
  isMany?: boolean;
}

/** Reads pages of searches by their statements, on a connection with the settings of the gateway. */
export class SearchPages {
  private constructor(readonly client: pg.Client) {}

  static async open(databaseUrl: string): Promise<SearchPages> {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query(sessionSettings);
    return new SearchPages(client);
  }

  async read({ name, text, values }: Statement): Promise<Row[]> {
    return (await this.client.query<Row>({ name, text, values: [...values] })).rows;
  }

  /** Reads a page by both variants, and expects the same apps in the same order, and the same total. */
  async compare(statement: (variant: SearchVariant) => Statement): Promise<Row[]> {
    const [few, many] = [await this.read(statement('few')), await this.read(statement('many'))];
    const found = few.filter(({ id }) => id !== null);
    expect(few[0]?.isMany).toBe(false);
    expect(found).toEqual(many.map((row) => ({ ...row, isMany: false })));
    return found;
  }

  async close(): Promise<void> {
    await this.client.end();
  }
}
