import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Picture } from '../components/picture.tsx';
import {
  isShowable,
  type ListingFinding,
  type PictureKind,
  type PictureSize,
  pictureRules,
} from './listing-checks.ts';
import { ListingTextField } from './listing-text-field.tsx';

interface PictureFieldProps {
  label: string;
  kind: PictureKind;
  url: string;
  findings: readonly ListingFinding[];
  isOptional?: boolean;
  /** Undefined while it is not known; null if the picture cannot be loaded. */
  size: PictureSize | null | undefined;
  onChange: (url: string) => void;
  onMeasured: (url: string, size: PictureSize | null) => void;
  /** Buttons below the picture. */
  tools?: ComponentChildren;
  /** Further fields beside the picture. */
  children?: ComponentChildren;
}

/** The URL of a picture, with the picture itself and its measured size. */
export function PictureField(props: PictureFieldProps) {
  const { kind, url, size, onMeasured, tools, children, ...field } = props;
  const shown = useSettled(url);
  const { rule, fits } = pictureRules[kind];
  // In the colour of the message at the field, which says the same.
  const hasError = field.findings.some(({ severity }) => severity === 'ERROR');
  return (
    <div class={`picture-field of-${kind}`}>
      <figure>
        <Picture
          key={shown}
          url={isShowable(shown) ? shown : null}
          alt={`${field.label} as users see it`}
          class="picture-preview"
          // Its size is checked also if nobody scrolls to it.
          isEager
          onMeasured={(measured) => onMeasured(shown, measured)}
        />
        {size && (
          <figcaption class={fits(size) ? 'fits' : hasError ? 'wrong-text' : 'misfit'}>
            {size.width}×{size.height} {fits(size) ? '✓ fits' : 'does not fit'}
          </figcaption>
        )}
        {tools}
      </figure>
      <div>
        <ListingTextField
          {...field}
          type="url"
          value={url}
          // A message says what is needed instead.
          hint={field.findings.length === 0 && `Address of ${rule}.`}
        />
        {children}
      </div>
    </div>
  );
}

const SETTLED_MS = 400;

/** Returns a text once nobody has typed for a moment, so that no half-written address is loaded. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
