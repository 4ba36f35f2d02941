import { adoptDraft } from './draft.ts';
import { readStored, writeStored } from './storage.ts';

const STORED = 'place';
/** A page that grows while its data is read is scrolled until this time has passed, or the person does something. */
const SCROLLING_MS = 5_000;
const ACTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'];

/** The dialog and the draft to return to after signing in. */
export interface Purpose {
  /** The dialog to open again, such as `report:<id of the rating>`. */
  readonly open?: string;
  /** Name of the draft that was written without an account, and belongs to the account from then on. */
  readonly draft?: string;
}

interface Place extends Purpose {
  readonly path: string;
  readonly top: number;
}

/** Waits until the page is visible; null once it is. Without a page that the service has sent, it is from the start. */
let waiting: (() => void)[] | null = document.getElementById('page') ? [] : null;

/** To be called when the page is visible. */
export function noteShown(): void {
  const all = waiting ?? [];
  waiting = null;
  for (const run of all) run();
}

/** Runs something once the page is visible, or at once if it is: a hidden element cannot have the focus. */
export function whenShown(run: () => void): void {
  if (waiting) waiting.push(run);
  else run();
}

const currentPath = () => location.pathname + location.search;

let opened = '';

/** Keeps where the person is and what they do, because signing in renders the page again or leaves it. */
export function keepPlace(purpose: Purpose = {}): void {
  const place: Place = { ...purpose, path: currentPath(), top: scrollY };
  writeStored('sessionStorage', STORED, JSON.stringify(place));
}

/** Returns to the place that was kept, after the person has signed in. */
export function returnToPlace(): void {
  const place: Place = JSON.parse(readStored('sessionStorage', STORED) ?? '{}');
  writeStored('sessionStorage', STORED, null);
  if (place.path !== currentPath()) return;
  if (place.draft) adoptDraft(place.draft);
  opened = place.open ?? '';
  scrollBackTo(place.top);
}

/** Returns what is to be opened again of a kind, such as the id in `report:<id>`, once; null if nothing is. */
export function takeOpened(kind: string): string | null {
  if (!opened.startsWith(`${kind}:`)) return null;
  const id = opened.slice(kind.length + 1);
  opened = '';
  return id;
}

function scrollBackTo(top: number): void {
  const observer = new ResizeObserver(() => scrollTo({ top, behavior: 'instant' }));
  const stop = () => {
    observer.disconnect();
    for (const act of ACTS) removeEventListener(act, stop);
  };
  observer.observe(document.body);
  for (const act of ACTS) addEventListener(act, stop);
  setTimeout(stop, SCROLLING_MS);
}
