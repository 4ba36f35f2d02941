import { useEffect, useRef } from 'preact/hooks';
import { Icon, type IconName } from '../components/icon.tsx';
import type { Listing } from './listing.ts';
import {
  findingsAt,
  type ListingFinding,
  MAX_SCREENSHOTS,
  type PictureSize,
  type PictureSizes,
} from './listing-checks.ts';
import { Findings, ListingTextField } from './listing-text-field.tsx';
import { PictureField } from './picture-field.tsx';

type Screenshots = Listing['screenshots'];

interface ScreenshotFieldsProps {
  screenshots: Screenshots;
  findings: readonly ListingFinding[];
  sizes: PictureSizes;
  disabled: boolean;
  onChange: (screenshots: Screenshots) => void;
  onMeasured: (url: string, size: PictureSize | null) => void;
}

/** The screenshots: address and caption of each, in an order that can be changed. */
export const ScreenshotFields = (props: ScreenshotFieldsProps) => {
  const list = useRef<HTMLOListElement>(null);
  const isAdding = useRef(false);
  useEffect(() => {
    if (isAdding.current) list.current?.lastElementChild?.querySelector('input')?.focus();
    isAdding.current = false;
  }, [props.screenshots.length]);
  const add = () => {
    isAdding.current = true;
    props.onChange([...props.screenshots, { url: '', caption: '' }]);
  };
  return (
    <fieldset class="field">
      <legend>Screenshots</legend>
      <Findings findings={props.findings.filter(({ field }) => field === 'screenshots')} />
      <ol class="plain rows" ref={list}>
        {props.screenshots.map((_, index) => (
          <li key={`${index}`}>
            <ScreenshotField {...props} index={index} />
          </li>
        ))}
      </ol>
      {!props.disabled && props.screenshots.length < MAX_SCREENSHOTS && (
        <button type="button" onClick={add}>
          Add a screenshot
        </button>
      )}
    </fieldset>
  );
};

function ScreenshotField({
  screenshots,
  findings,
  sizes,
  disabled,
  onChange,
  onMeasured,
  index,
}: ScreenshotFieldsProps & { index: number }) {
  const screenshot = screenshots[index]!;
  const change = (part: Partial<Screenshots[number]>) =>
    onChange(screenshots.map((each, at) => (at === index ? { ...each, ...part } : each)));
  return (
    <PictureField
      label={`Screenshot ${index + 1}`}
      kind="screenshot"
      url={screenshot.url}
      size={sizes[screenshot.url]}
      findings={[
        ...findingsAt(findings, `screenshots.${index}.url`),
        ...findings.filter(({ field }) => field === `screenshots.${index}`),
      ]}
      disabled={disabled}
      onChange={(url) => change({ url })}
      onMeasured={onMeasured}
      tools={!disabled && <ScreenshotButtons screenshots={screenshots} index={index} onChange={onChange} />}
    >
      <ListingTextField
        label={`Caption of screenshot ${index + 1}`}
        hint="Describe what it shows. Screen readers read it aloud."
        isOptional
        value={screenshot.caption}
        findings={findingsAt(findings, `screenshots.${index}.caption`)}
        disabled={disabled}
        onChange={(caption) => change({ caption })}
      />
    </PictureField>
  );
}

interface ScreenshotButtonsProps {
  screenshots: Screenshots;
  index: number;
  onChange: (screenshots: Screenshots) => void;
}

function ScreenshotButtons({ screenshots, index, onChange }: ScreenshotButtonsProps) {
  const move = (by: -1 | 1) => {
    const next = screenshots.filter((_, at) => at !== index);
    next.splice(index + by, 0, screenshots[index]!);
    onChange(next);
  };
  return (
    <div class="screenshot-buttons">
      <IconButton
        icon="previous"
        label={`Move screenshot ${index + 1} up`}
        disabled={index === 0}
        onClick={() => move(-1)}
      />
      <IconButton
        icon="next"
        label={`Move screenshot ${index + 1} down`}
        disabled={index === screenshots.length - 1}
        onClick={() => move(1)}
      />
      <IconButton
        icon="close"
        label={`Remove screenshot ${index + 1}`}
        onClick={() => onChange(screenshots.filter((_, at) => at !== index))}
      />
    </div>
  );
}

interface IconButtonProps {
  icon: IconName;
  label: string;
  disabled?: boolean;
  onClick: () => void;
}

const IconButton = ({ icon, label, disabled = false, onClick }: IconButtonProps) => (
  <button type="button" aria-label={label} title={label} disabled={disabled} onClick={onClick}>
    <Icon name={icon} />
  </button>
);
