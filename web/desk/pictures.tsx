import { useState } from 'preact/hooks';
import { withoutField } from '../client/words.ts';
import { Picture } from '../components/picture.tsx';
import type { ReasonDraft } from './rejection-requests.ts';
import type { FindingData, SubjectData } from './review-data.ts';

interface Size {
  width: number;
  height: number;
}

interface PictureRule {
  text: string;
  isMetBy: (size: Size) => boolean;
}

const rules = {
  logo: {
    text: 'Square PNG or JPG, at least 512 × 512 pixels',
    isMetBy: ({ width, height }: Size) => width === height && width >= 512,
  },
  banner: {
    text: 'PNG or JPG, exactly 1200 × 600 pixels',
    isMetBy: ({ width, height }: Size) => width === 1200 && height === 600,
  },
  screenshot: {
    text: 'PNG or JPG, at least 1280 × 720 pixels',
    isMetBy: ({ width, height }: Size) => width >= 1280 && height >= 720,
  },
} satisfies Record<string, PictureRule>;

type ListingPictures = Pick<SubjectData, 'logoUrl' | 'bannerUrl' | 'screenshots' | 'images'>;

/**
 * The pictures of a listing with their measured sizes: large for a decision, each with its rule beside it, and else as an
 * overview.
 */
export const Pictures = ({
  listing: { logoUrl, bannerUrl, screenshots, images },
  findings,
  onReason,
}: {
  listing: ListingPictures;
  findings: readonly FindingData[];
  /** Called with a reason to reject the listing because of a picture; without it, there is no button for that. */
  onReason?: (reason: ReasonDraft) => void;
}) => {
  const pictures = [
    ...screenshots.map(({ url, caption }, position) => ({
      label: `Screenshot ${position + 1}`,
      field: `screenshots.${position}.url`,
      url,
      caption,
      rule: rules.screenshot,
      same: screenshots.findIndex((screenshot) => screenshot.url === url),
    })),
    { label: 'Banner', field: 'bannerUrl', url: bannerUrl, rule: rules.banner },
    { label: 'Logo', field: 'logoUrl', url: logoUrl, rule: rules.logo },
  ];
  return (
    <section class="card stack" aria-labelledby="pictures">
      <h2 id="pictures">Pictures</h2>
      <div class={onReason ? 'stack' : 'picture-overview'}>
        {screenshots.length === 0 && <p class="soft tight">There are no screenshots.</p>}
        {pictures.map((picture) => (
          <PictureCheck
            key={`${picture.field} ${picture.url}`}
            {...picture}
            // The problems of a caption are shown at its picture.
            findings={findings.filter(({ field }) => field.startsWith(picture.field.replace(/url$/, '')))}
            isChecked={images.some(({ field }) => field === picture.field)}
            onReason={onReason}
          />
        ))}
      </div>
    </section>
  );
};

interface PictureCheckProps {
  label: string;
  field: string;
  url: string | null;
  caption?: string | null;
  rule: PictureRule;
  /** Position of the first screenshot with this address. */
  same?: number;
  findings: readonly FindingData[];
  /** True if the service has fetched the picture; what it found is in the findings. */
  isChecked: boolean;
  onReason: ((reason: ReasonDraft) => void) | undefined;
}

function PictureCheck({
  label,
  field,
  url,
  caption,
  rule,
  same,
  findings,
  isChecked,
  onReason,
}: PictureCheckProps) {
  const [size, setSize] = useState<Size | null | undefined>(undefined);
  return (
    <figure class={`picture-check of-${label.split(' ')[0]?.toLowerCase()}`}>
      {url ? (
        <a href={url} target="_blank" rel="noopener noreferrer" class="picture-link">
          <Picture url={url} alt={`${label}${caption ? `: ${caption}` : ''}`} isEager onMeasured={setSize} />
          <span class="hidden"> (opens at full size in a new tab)</span>
        </a>
      ) : (
        <Picture url={null} alt="" />
      )}
      <figcaption>
        <h3>{label}</h3>
        {caption && <p dir="auto">“{caption}”</p>}
        {url && (
          <div class="verdict">
            <Verdict size={size} rule={rule} isChecked={isChecked} findings={findings} />
          </div>
        )}
        {!(size && rule.isMetBy(size)) && <p class="soft">{rule.text}</p>}
        {same !== undefined && field !== `screenshots.${same}.url` && (
          <p class="doubtful">It is screenshot {same + 1} again.</p>
        )}
        {findings.map(({ message, severity }) => (
          <p key={message} class={severity === 'ERROR' ? 'wrong' : 'doubtful'}>
            {withoutField(field, message)}
          </p>
        ))}
        {onReason && (
          <button
            type="button"
            class="link"
            onClick={() => onReason({ code: 'IMAGE_QUALITY', field, message: reasonText(label, size, rule) })}
          >
            Use as a reason<span class="hidden"> ({label})</span>
          </button>
        )}
      </figcaption>
    </figure>
  );
}

interface VerdictProps {
  /** Undefined while the browser loads the picture; null if it cannot. */
  size: Size | null | undefined;
  rule: PictureRule;
  isChecked: boolean;
  findings: readonly FindingData[];
}

function Verdict({ size, rule, isChecked, findings }: VerdictProps) {
  // The same fault has the same colour here and among the findings.
  const tone = findings.some(({ severity }) => severity === 'ERROR') ? 'bad' : 'warn';
  if (size === undefined) return <p class="soft">Measuring…</p>;
  if (size === null)
    return (
      <>
        <p class={`badge ${tone}`}>Your browser cannot load it</p>
        <p class="soft">
          {!isChecked
            ? 'It has not been checked yet.'
            : findings.length > 0
              ? 'Our own check found the problem below.'
              : 'Our own check found no problem.'}
        </p>
      </>
    );
  return (
    <p>
      <strong>
        {size.width} × {size.height}
      </strong>{' '}
      {rule.isMetBy(size) ? (
        <span class="badge good">Good size</span>
      ) : (
        <span class={`badge ${tone}`}>Wrong size</span>
      )}
    </p>
  );
}

function reasonText(label: string, size: Size | null | undefined, { text, isMetBy }: PictureRule): string {
  if (!size) return `${label} cannot be loaded. Required: ${text}.`;
  if (isMetBy(size))
    return `${label} is blurred or does not show the app: replace it with a sharp image of the current app.`;
  return `${label} has ${size.width} × ${size.height} pixels. Required: ${text}.`;
}
