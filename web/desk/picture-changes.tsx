import type { Change } from '../components/changes.tsx';
import { Picture } from '../components/picture.tsx';
import { fieldName } from './field-names.ts';

/** Returns whether the value of a field is the address of a picture, or a list of them. */
export const isPictureField = (field: string): boolean => /^(logoUrl|bannerUrl|screenshots)$/.test(field);

/** The pictures that were changed, before and after, side by side. */
export const PictureChanges = ({ changes }: { changes: readonly Change[] }) => (
  <>
    {changes.map(({ field, before, after }) => (
      <section key={field} class="stack tight" aria-label={fieldName(field)}>
        <h3 class="tight">{fieldName(field)}</h3>
        <div class="side-by-side">
          <Side title="Before" mark="Removed" field={field} value={before} others={urlsOf(field, after)} />
          <Side title="After" mark="New" field={field} value={after} others={urlsOf(field, before)} />
        </div>
      </section>
    ))}
  </>
);

interface SideProps {
  title: string;
  /** Says what it means that a picture is on this side only. */
  mark: string;
  field: string;
  value: string | null;
  /** The pictures of the other side; those that are on both sides are the same. */
  others: readonly string[];
}

const Side = ({ title, mark, field, value, others }: SideProps) => {
  const urls = urlsOf(field, value);
  const changed = urls.filter((url) => !others.includes(url));
  const unchanged = urls.length - changed.length;
  return (
    <section class="stack tight">
      <small>{title}</small>
      {urls.length === 0 && <p class="soft tight">None</p>}
      {changed.map((url) => (
        <div key={url} class={field === 'logoUrl' ? 'small-picture' : ''}>
          <Picture url={url} alt={`${fieldName(field)} ${urls.indexOf(url) + 1}, ${title.toLowerCase()}`} />
          <span class="badge info">{mark}</span>
        </div>
      ))}
      {unchanged > 0 && <p class="soft tight">{unchanged} unchanged</p>}
    </section>
  );
};

/** A timeline shortens long values, which are no JSON any more; they show nothing. */
function urlsOf(field: string, value: string | null): string[] {
  if (field !== 'screenshots') return value ? [value] : [];
  try {
    const screenshots: { url: string }[] = JSON.parse(value ?? '[]');
    return screenshots.map(({ url }) => url);
  } catch {
    return [];
  }
}
