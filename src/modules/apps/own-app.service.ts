import type { DeveloperCaller } from '../../auth/caller.js';
import { batchedLists } from '../../db/batched-lookup.js';
import type { StatementReader } from '../../db/reader.js';
import type { App } from '../listings/app.entity.js';
import { appsOfDevelopers } from './app.queries.js';

/** An app as a row: its times are text, and of its developer there is the id. */
type AppRow = Omit<App, 'developer'> & { key: string };
export type OwnApp = AppRow & { developer: { id: string } };

/** Few, because a list may be long, and the others of its statement wait for it. */
const listsPerStatement = 8;

/** Lists the caller's own apps. Lists that are requested at the same time share a statement. */
export class OwnAppService {
  private readonly rowsOf = batchedLists(
    (developerIds) => this.reader.rows<AppRow>(appsOfDevelopers(developerIds)),
    listsPerStatement,
  );

  constructor(private readonly reader: StatementReader) {}

  /** A key of a pipeline lists the app that it works for (D409). */
  async list(caller: DeveloperCaller): Promise<OwnApp[]> {
    const { developer } = caller;
    const rows = await this.rowsOf(developer.id);
    const only = caller.kind === 'key' ? (caller.pipeline?.appId ?? null) : null;
    const visible = only === null ? rows : rows.filter(({ id }) => id === only);
    return visible.map((row) => Object.assign(row, { developer }));
  }
}
