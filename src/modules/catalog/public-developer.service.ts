import DataLoader from 'dataloader';
import type { z } from 'zod';
import type { StatementReader } from '../../db/reader.js';
import { notFound, ServiceError } from '../../errors.js';
import { defaultPageSize } from '../../operations/paging.js';
import type { AppsPage } from './catalog.input.js';
import { AppConnection, AppSort, type PublicDeveloper } from './catalog.types.js';
import { type AppCount, groupedFacets, sum } from './catalog-counts.rules.js';
import { type CatalogList, decodeAppCursor, encodeAppCursor, type ListedApp } from './cursor.rules.js';
import {
  appsOfDevelopers,
  countsOfDevelopers,
  publicDevelopers,
  publicProfiles,
} from './public-developer.queries.js';

/** The part of a public profile that lists of apps do not read. */
export interface PublicProfile {
  id: string;
  bio: string | null;
  verified: boolean;
  memberSince: string;
  appCount: number;
  installCount: number;
  reviewCount: number;
  averageRating: number;
}

/** A page of the public apps of a developer. */
export type DeveloperAppsKey = { developer: string } & z.output<typeof AppsPage>;

type AppCounts = DataLoader<string, AppCount[]>;

/** Reads the public profiles of developers and their public apps. */
export class PublicDeveloperService {
  constructor(private readonly reader: StatementReader) {}

  find(ids: readonly string[]): Promise<PublicDeveloper[]> {
    return this.reader.rows<PublicDeveloper>(publicDevelopers(ids));
  }

  async get(id: string): Promise<PublicDeveloper> {
    const [developer] = await this.find([id]);
    if (!developer) throw notFound('developer');
    return developer;
  }

  profiles(ids: readonly string[]): Promise<PublicProfile[]> {
    return this.reader.rows<PublicProfile>(publicProfiles(ids));
  }

  /**
   * Reads pages of one developer from the same position together, and equal pages of several developers in one statement. A
   * page with an invalid cursor is an error of its own.
   */
  async pages(keys: readonly DeveloperAppsKey[]): Promise<(AppConnection | Error)[]> {
    const counts: AppCounts = new DataLoader((ids) => this.counts(ids));
    const pages = new Map<DeveloperAppsKey, AppConnection | Error>();
    const read = async (alike: readonly DeveloperAppsKey[]) => {
      for (const [key, page] of await this.equalPages(alike, counts)) pages.set(key, page);
    };
    const starts = Map.groupBy(keys, startName);
    const longest = (key: DeveloperAppsKey) => Math.max(...starts.get(startName(key))!.map(sizeOf));
    const statements = Map.groupBy(keys, (key) => JSON.stringify([longest(key), key.after]));
    await Promise.all([...statements.values()].map(read));
    return keys.map((key) => pages.get(key)!);
  }

  private async equalPages(
    keys: readonly DeveloperAppsKey[],
    counts: AppCounts,
  ): Promise<[DeveloperAppsKey, AppConnection | Error][]> {
    const longest = Math.max(...keys.map(sizeOf));
    const starts = keys.map((key) => [key, startOf(key)] as const);
    const valid = starts.filter(([, start]) => !(start instanceof Error));
    // A cursor belongs to one developer, so all valid pages start at the same position.
    const position = (valid[0]?.[1] ?? null) as readonly unknown[] | null;
    const ids = [...new Set(valid.map(([{ developer }]) => developer))];
    const rows =
      ids.length > 0 ? await this.reader.rows<ListedApp>(appsOfDevelopers(ids, longest + 1, position)) : [];
    const byDeveloper = Map.groupBy(rows, ({ developer }) => developer.id);
    return starts.map(([key, start]) => [
      key,
      start instanceof Error ? start : connectionOf(key, byDeveloper.get(key.developer) ?? [], counts),
    ]);
  }

  private async counts(ids: readonly string[]): Promise<AppCount[][]> {
    const rows = await this.reader.rows<AppCount & { developer: string }>(countsOfDevelopers(ids));
    const byDeveloper = Map.groupBy(rows, ({ developer }) => developer);
    return ids.map((id) => byDeveloper.get(id) ?? []);
  }
}

const startName = ({ developer, after }: DeveloperAppsKey) => JSON.stringify([developer, after]);

const sizeOf = ({ first }: DeveloperAppsKey) => first ?? defaultPageSize;

/** The same list as `apps` with the filter `developer`, so the cursors of both are the same. */
const listOf = ({ developer }: DeveloperAppsKey): CatalogList => ({
  sort: AppSort.popular,
  filter: { developer },
});

/** Returns the position after which a page starts; null for the first page. */
function startOf(key: DeveloperAppsKey): readonly unknown[] | null | ServiceError {
  try {
    return key.after ? decodeAppCursor(listOf(key), key.after).keys : null;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

function connectionOf(key: DeveloperAppsKey, rows: readonly ListedApp[], counts: AppCounts): AppConnection {
  const list = listOf(key);
  const size = sizeOf(key);
  const edges = rows.slice(0, size).map((node) => ({ node, cursor: encodeAppCursor(list, node) }));
  const pageInfo = {
    hasNextPage: rows.length > size,
    hasPreviousPage: Boolean(key.after),
    startCursor: edges[0]?.cursor ?? null,
    endCursor: edges.at(-1)?.cursor ?? null,
  };
  const own = () => counts.load(key.developer);
  return new AppConnection(edges, pageInfo, {
    total: async () => sum(await own()),
    isExact: () => true,
    facets: async () => groupedFacets(await own()),
  });
}
