import type { DeveloperCaller } from '../../auth/caller.js';
import { batchedLists } from '../../db/batched-lookup.js';
import type { StatementReader } from '../../db/reader.js';
import { appsOfDevelopers } from './app.queries.js';
import { OwnApp, type OwnAppRow } from './own-app.types.js';

/** Few, because a list may be long, and the others of its statement wait for it. */
const listsPerStatement = 8;

/** Lists the caller's own apps. Lists that are requested at the same time share a statement (D284). */
export class OwnAppService {
  private readonly rowsOf = batchedLists(
    (developerIds) => this.reader.rows<OwnAppRow & { key: string }>(appsOfDevelopers(developerIds)),
    listsPerStatement,
  );

  constructor(private readonly reader: StatementReader) {}

  async list({ developer }: DeveloperCaller): Promise<OwnApp[]> {
    const rows = await this.rowsOf(developer.id);
    return rows.map((row) => new OwnApp(row, developer));
  }
}
