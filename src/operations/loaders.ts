import type { EntityManager } from '@mikro-orm/postgresql';
import DataLoader from 'dataloader';
import {
  lengthsOfOwners,
  type OwnedList,
  type OwnedPage,
  type OwnedRow,
  type Page,
  pagesOfOwners,
} from './owned-pages.js';

/** Loads rows by their id. */
export function rowsById<Row extends { id: string }>(find: (ids: readonly string[]) => Promise<Row[]>) {
  return new DataLoader(async (ids: readonly string[]) => {
    const byId = new Map((await find(ids)).map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id) ?? new Error(`There is no row ${id}`));
  });
}

/** Loads rows by their id; null for those that do not exist any more. */
export function rowsIfAny<Row extends { id: string }>(find: (ids: readonly string[]) => Promise<Row[]>) {
  return new DataLoader(async (ids: readonly string[]) => {
    const byId = new Map((await find(ids)).map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id) ?? null);
  });
}

/** Loads all rows of each owner, in the order in which they are found. */
export function rowsByOwner<Row>(
  find: (owners: readonly string[]) => Promise<Row[]>,
  ownerOf: (row: Row) => string,
) {
  return new DataLoader(async (owners: readonly string[]) => {
    const byOwner = Map.groupBy(await find(owners), ownerOf);
    return owners.map((owner) => byOwner.get(owner) ?? []);
  });
}

/** A page of one owner's list. */
interface PageKey {
  owner: string;
  page: Page;
}

/** Loads pages of lists that have an owner each: one query for equal pages of all owners, and one for the selected lengths. */
export function pagesByOwner<Row extends OwnedRow, Node>(
  fork: () => EntityManager,
  list: OwnedList<Row>,
  nodeOf: (row: Row) => Node,
) {
  const nameOf = ({ page }: PageKey) => JSON.stringify(page);
  return new DataLoader<PageKey, OwnedPage<Node> & { totalCount: () => Promise<number> }, string>(
    async (keys) => {
      // Made with the pages, so that clearing those of a mutation clears their lengths.
      const lengths = new DataLoader((owners: readonly string[]) => lengthsOfOwners(fork(), list, owners));
      const found = new Map<PageKey, OwnedPage<Node>>();
      const read = async (alike: readonly PageKey[]) => {
        const owners = alike.map(({ owner }) => owner);
        const each = await pagesOfOwners(fork(), list, nodeOf, owners, alike[0]!.page);
        for (const [i, key] of alike.entries()) found.set(key, each[i]!);
      };
      await Promise.all([...Map.groupBy(keys, nameOf).values()].map(read));
      return keys.map((key) => ({ ...found.get(key)!, totalCount: () => lengths.load(key.owner) }));
    },
    { cacheKeyFn: (key) => `${key.owner} ${nameOf(key)}` },
  );
}
