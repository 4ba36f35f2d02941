import type { Change } from './changes.tsx';
import { Picture } from './picture.tsx';
import './picture-changes.css';

/** Returns whether the value of a field is the address of a picture, or a list of them. */
export const isPictureField = (field: string): boolean => /^(logoUrl|bannerUrl|screenshots)$/.test(field);

interface PictureChangesProps {
  changes: readonly Change[];
  /** Returns the name of a field in the words of the page. */
  nameOf: (field: string) => string;
}

/** The pictures that were changed, before and after, side by side. */
export const PictureChanges = ({ changes, nameOf }: PictureChangesProps) => (
  <>
    {changes.map((change) => (
      <FieldPictures key={change.field} {...change} name={nameOf(change.field)} />
    ))}
  </>
);

function FieldPictures({ field, before, after, name }: Change & { name: string }) {
  const [old, present] = [urlsOf(field, before), urlsOf(field, after)];
  const removed = old.filter((url) => !present.includes(url));
  const added = present.filter((url) => !old.includes(url));
  const small = field === 'logoUrl' ? 'small' : '';
  const hasBoth = removed.length > 0 && added.length > 0;
  return (
    <section class="picture-change" aria-label={name}>
      <h3>{name}</h3>
      {removed.length + added.length > 0 && (
        <div class={`picture-sides ${small}`}>
          <Side title="Before" mark="Removed" name={name} urls={old} shown={removed} hasTitle={hasBoth} />
          <Side title="After" mark="New" name={name} urls={present} shown={added} hasTitle={hasBoth} />
        </div>
      )}
      <p class="soft">{factsOf(old.length, present.length, present.length - added.length)}</p>
    </section>
  );
}

/** Says what no picture shows. */
const factsOf = (before: number, after: number, unchanged: number): string =>
  [
    before === 0 && 'None before',
    after === 0 && 'None now',
    unchanged > 0 && `${unchanged} unchanged`,
    before === unchanged && after === unchanged && 'another order or other captions',
  ]
    .filter(Boolean)
    .join(', ');

interface SideProps {
  title: string;
  /** Says what it means that a picture is on this side only. */
  mark: string;
  /** Name of the field. */
  name: string;
  /** All pictures of this side. */
  urls: readonly string[];
  /** The pictures that are on this side only. */
  shown: readonly string[];
  /** False if the other side has no pictures: the mark says enough. */
  hasTitle: boolean;
}

const Side = ({ title, mark, name, urls, shown, hasTitle }: SideProps) =>
  shown.length === 0 ? null : (
    <section>
      {hasTitle && <small>{title}</small>}
      {shown.map((url) => (
        <div key={url}>
          <Picture url={url} alt={`${name} ${urls.indexOf(url) + 1}, ${title.toLowerCase()}`} />
          <span class="badge info">{mark}</span>
        </div>
      ))}
    </section>
  );

/** Returns the pictures of a field. A timeline shortens long values, which are no JSON any more; they show nothing. */
export function urlsOf(field: string, value: string | null): string[] {
  if (field !== 'screenshots') return value ? [value] : [];
  try {
    const screenshots: { url: string }[] = JSON.parse(value ?? '[]');
    return screenshots.map(({ url }) => url);
  } catch {
    return [];
  }
}
