import { type Change, Changes } from '../components/changes.tsx';
import { isPictureField, PictureChanges, urlsOf } from '../components/picture-changes.tsx';
import { labelOf, readableChanges } from './listing.ts';

/** Returns whether a change can be shown by its pictures. A timeline shortens long lists of them, which cannot be read. */
const hasPictures = ({ field, before, after }: Change): boolean =>
  isPictureField(field) && urlsOf(field, before).length + urlsOf(field, after).length > 0;

/** The fields of a listing that were changed: texts word by word, and pictures side by side. */
export const ListingChanges = ({ changes }: { changes: readonly Change[] }) => (
  <div class="stack">
    <Changes changes={readableChanges(changes.filter((change) => !hasPictures(change)))} />
    <PictureChanges changes={changes.filter(hasPictures)} nameOf={labelOf} />
  </div>
);
