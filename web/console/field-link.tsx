import { useSearchParams } from 'wouter-preact';
import { labelOf } from './listing.ts';

/** Returns the id of the place of a field in the editor. */
export const placeOf = (field: string): string => `listing-${field}`;

/** The name of a field, which leads to it in the editor. */
export function FieldLink({ field }: { field: string }) {
  const [, setSearch] = useSearchParams();
  const show = () => {
    setSearch({}, { replace: true });
    // By then the editor is in the place of the preview.
    requestAnimationFrame(() => controlOf(field)?.focus());
  };
  return (
    <button type="button" class="link" onClick={show}>
      {labelOf(field)}
    </button>
  );
}

/** Finds the control of a field; `screenshots.1.url` is in the second screenshot. */
function controlOf(field: string): HTMLElement | null | undefined {
  const [name = '', position] = field.split('.');
  const place = document.getElementById(placeOf(name));
  const part = position ? place?.querySelectorAll('li')[Number(position)] : place;
  return (part ?? place)?.querySelector<HTMLElement>('input, select, textarea, fieldset > button');
}
