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
  onChange: (screenshots: Screenshots) => void;
  onMeasured: (url: string, size: PictureSize | null) => void;
}

/** Adds, moves or removes rows, and moves the focus to the first of the selectors that exists. */
type ChangeRows = (screenshots: Screenshots, ...selectors: readonly string[]) => void;

/** The screenshots: address and caption of each, in an order that can be changed. */
export const ScreenshotFields = (props: ScreenshotFieldsProps) => {
  const fields = useRef<HTMLFieldSetElement>(null);
  /** Selectors of what gets the focus after a change of the rows: the first that exists. */
  const focused = useRef<readonly string[]>([]);
  useEffect(() => {
    const found = focused.current.map((selector) => fields.current?.querySelector<HTMLElement>(selector));
    focused.current = [];
    found.find((element) => element)?.focus();
  }, [props.screenshots]);
  const change: ChangeRows = (screenshots, ...selectors) => {
    focused.current = selectors;
    props.onChange(screenshots);
  };
  return (
    <fieldset class="field" ref={fields}>
      <legend>Screenshots</legend>
      <Findings findings={props.findings.filter(({ field }) => field === 'screenshots')} />
      <ol class="plain rows">
        {props.screenshots.map((_, index) => (
          <li key={`${index}`}>
            <ScreenshotField {...props} index={index} onChangeRows={change} />
          </li>
        ))}
      </ol>
      {props.screenshots.length < MAX_SCREENSHOTS && (
        <button
          type="button"
          onClick={() => change([...props.screenshots, { url: '', caption: '' }], 'li:last-child input')}
        >
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
  onChange,
  onMeasured,
  index,
  onChangeRows,
}: ScreenshotFieldsProps & { index: number; onChangeRows: ChangeRows }) {
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
      onChange={(url) => change({ url })}
      onMeasured={onMeasured}
      tools={<ScreenshotButtons screenshots={screenshots} index={index} onChange={onChangeRows} />}
    >
      <ListingTextField
        label={`Caption of screenshot ${index + 1}`}
        hint="Describe what it shows. Screen readers read it aloud."
        isOptional
        value={screenshot.caption}
        findings={findingsAt(findings, `screenshots.${index}.caption`)}
        onChange={(caption) => change({ caption })}
      />
    </PictureField>
  );
}

interface ScreenshotButtonsProps {
  screenshots: Screenshots;
  index: number;
  onChange: ChangeRows;
}

function ScreenshotButtons({ screenshots, index, onChange }: ScreenshotButtonsProps) {
  const others = screenshots.filter((_, at) => at !== index);
  const move = (by: -1 | 1) => {
    const buttons = `li:nth-child(${index + by + 1}) .screenshot-buttons`;
    onChange(
      others.toSpliced(index + by, 0, screenshots[index]!),
      `${buttons} [aria-label$="${by < 0 ? 'up' : 'down'}"]:enabled`,
      `${buttons} :enabled`,
    );
  };
  const remove = () => {
    const button = '[aria-label^="Remove"]';
    onChange(others, `li:nth-child(${index + 1}) ${button}`, `li:last-child ${button}`, ':scope > button');
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
      <IconButton icon="close" label={`Remove screenshot ${index + 1}`} onClick={remove} />
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
