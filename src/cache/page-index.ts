import { LRUCache } from 'lru-cache';
import type { CatalogVersion } from './catalog-version.js';

/** How many apps lie between two signposts, and so the most that a page is counted over. */
export const SIGNPOST_EVERY = 1_000;
/** Of all lists together; at a million apps those of twenty whole lists. */
const MOST_PLACES = 20_000;
/** Whoever asks for one deep page hardly asks for more; whoever asks for two goes on. */
const WALKED_WHEN_ASKED = 2;
/** While the catalog changes all the time, walks take no more than a twentieth of it. */
const RESTS_PER_WALK = 19;

/** The sort keys of an app, as the database writes them. */
export type Place = readonly string[];

interface Signposted {
  asked: number;
  /** Those of the apps 1,000, 2,000 and so on; null until the list has been walked. */
  places: readonly Place[] | null;
}

/** Where the thousands stand in long lists of the current version of the catalog, so that deep pages are not counted from the start. */
export class Signposts {
  private readonly lists = new LRUCache<string, Signposted>({
    maxSize: MOST_PLACES,
    sizeCalculation: ({ places }) => 1 + (places?.length ?? 0),
  });
  private resting = Number.NEGATIVE_INFINITY;
  private used = 0;
  /** The walk under way, if any. */
  walk: Promise<void> | null = null;

  constructor(private readonly catalog: CatalogVersion) {
    catalog.onRaise(() => this.lists.clear());
  }

  /** For whoever watches the service. */
  get figures() {
    return { used: this.used, places: this.lists.calculatedSize };
  }

  /** The last signpost before an offset, and how far it is from there; null: none is known, and one has to count. */
  before(
    list: string,
    offset: number,
    walk: () => Promise<readonly Place[]>,
  ): { place: Place; further: number } | null {
    if (!this.catalog.isKnown()) return null;
    const known = this.lists.get(list) ?? { asked: 0, places: null };
    const place = known.places?.[Math.floor(offset / SIGNPOST_EVERY) - 1];
    if (place) {
      this.used += 1;
      return { place, further: offset % SIGNPOST_EVERY };
    }
    // Beyond the last signpost there is nothing to walk for.
    if (known.places) return null;
    const asked = known.asked + 1;
    this.lists.set(list, { asked, places: null });
    if (asked >= WALKED_WHEN_ASKED && !this.walk && performance.now() >= this.resting)
      this.walk = this.walkAlong(list, walk);
    return null;
  }

  /** As with answers, what was begun under an earlier version is not kept. Whoever waits for the database is told when it fails. */
  private async walkAlong(list: string, walk: () => Promise<readonly Place[]>): Promise<void> {
    const version = this.catalog.current;
    const startedAt = performance.now();
    const places = await walk().catch(() => null);
    const endedAt = performance.now();
    this.resting = endedAt + RESTS_PER_WALK * (endedAt - startedAt);
    this.walk = null;
    if (places && version === this.catalog.current) this.lists.set(list, { asked: 0, places });
  }
}
