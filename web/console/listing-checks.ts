import { screenshotsMissing } from '../components/field-form.tsx';
import { isFileName } from '../components/form.tsx';
import { type Listing, type ListingField, listingFields } from './listing.ts';

/** A problem of a listing, as the service reports it or as this page finds it while somebody types. */
export interface ListingFinding {
  readonly field: string;
  readonly severity: 'ERROR' | 'WARNING';
  readonly message: string;
  readonly fix: string;
  readonly code?: string;
}

export type PictureKind = 'logo' | 'banner' | 'screenshot';
export type PictureSize = { width: number; height: number };
/** Sizes of pictures by their URL; null for pictures that cannot be loaded. */
export type PictureSizes = Readonly<Record<string, PictureSize | null>>;

export const pictureRules: Record<PictureKind, { rule: string; fits: (size: PictureSize) => boolean }> = {
  logo: {
    rule: 'a square PNG or JPG of at least 512×512 pixels',
    fits: ({ width, height }) => width === height && width >= 512,
  },
  banner: {
    rule: 'a PNG or JPG of exactly 1200×600 pixels',
    fits: ({ width, height }) => width === 1200 && height === 600,
  },
  screenshot: {
    rule: 'a PNG or JPG of at least 1280×720 pixels',
    fits: ({ width, height }) => width >= 1280 && height >= 720,
  },
};

const PICTURE_EXAMPLE = 'https://example.com/logo.png';
const wholeAddress = (example: string) => `Enter a whole address, such as ${example}.`;
const MAX_URL_LENGTH = 2_048;
const MAX_CAPTION_LENGTH = 200;
const MIN_SCREENSHOTS = 2;
export const MAX_SCREENSHOTS = 6;
/** Said after the number of screenshots that are missing. */
export const SCREENSHOTS_FIX = 'Each has at least 1280×720 pixels.';
export const maxLengths: Partial<Record<ListingField, number>> = {
  name: 100,
  description: 500,
  longDescription: 20_000,
  oauthClientId: 200,
  versionNumber: 40,
  releaseNotes: 5_000,
};

/** Characters as the service counts them. */
export const lengthOf = (text: string): number => [...text.trim()].length;

/**
 * Checks a listing while somebody types, so that most mistakes are seen before saving. The service checks everything
 * again, and more.
 */
export const checkListing = (listing: Listing, sizes: PictureSizes): ListingFinding[] => [
  ...listingFields.flatMap((field) => checkLength(listing, field)),
  ...checkUrl('websiteUrl', listing.websiteUrl, 'https://example.com'),
  ...checkPicture('logoUrl', listing.logoUrl, 'logo', sizes),
  ...checkPicture('bannerUrl', listing.bannerUrl, 'banner', sizes),
  ...checkScreenshots(listing.screenshots, sizes),
  ...(listing.logoUrl
    ? []
    : [warning('logoUrl', 'There is no logo.', `Add ${pictureRules.logo.rule}.`, 'missing')]),
];

const finding =
  (severity: ListingFinding['severity']) =>
  (field: string, message: string, fix: string, code = 'invalid'): ListingFinding => ({
    field,
    severity,
    message,
    fix,
    code,
  });
const error = finding('ERROR');
const warning = finding('WARNING');

function checkLength(listing: Listing, field: ListingField): ListingFinding[] {
  const value = listing[field];
  if (typeof value !== 'string') return [];
  if (!value.trim() && (field === 'name' || field === 'description'))
    return [error(field, field === 'name' ? 'Enter a name.' : 'Enter a short description.', '')];
  const max = maxLengths[field];
  const length = lengthOf(value);
  return max && length > max
    ? [error(field, `It has ${length} characters; at most ${max} are allowed.`, 'Shorten it.')]
    : [];
}

function checkUrl(field: string, url: string, example = PICTURE_EXAMPLE): ListingFinding[] {
  if (!url) return [];
  if (!isWebAddress(url)) return [error(field, 'This is not a web address.', wholeAddress(example))];
  if (url.length > MAX_URL_LENGTH)
    return [error(field, 'This address is too long.', `At most ${MAX_URL_LENGTH} characters are allowed.`)];
  return [];
}

export const isWebAddress = (url: string): boolean => {
  const parsed = URL.parse(url);
  return parsed !== null && /^https?:$/.test(parsed.protocol) && !parsed.username && !parsed.password;
};

/** The policy of the page allows pictures of https servers, and in development those of this machine. */
export const isShowable = (url: string) =>
  isWebAddress(url) && !isFileName(url) && !/^http:\/\/(?!localhost[:/]|127\.0\.0\.1[:/])/.test(url);

function checkPicture(field: string, url: string, kind: PictureKind, sizes: PictureSizes): ListingFinding[] {
  const wrong = isFileName(url)
    ? [error(field, 'This is only the name of a file.', wholeAddress(PICTURE_EXAMPLE))]
    : checkUrl(field, url);
  if (!url || wrong.length > 0) return wrong;
  if (!isShowable(url))
    return [warning(field, 'Browsers do not show pictures of http addresses.', 'Use an https address.')];
  const size = sizes[url];
  const { rule, fits } = pictureRules[kind];
  if (size === null)
    return [
      warning(field, 'Your browser cannot load this picture.', 'Use an address that everybody can open.'),
    ];
  if (size === undefined || fits(size)) return [];
  return [warning(field, `The picture is ${size.width}×${size.height} pixels.`, `Use ${rule}.`)];
}

function checkScreenshots(screenshots: Listing['screenshots'], sizes: PictureSizes): ListingFinding[] {
  const missing = MIN_SCREENSHOTS - screenshots.length;
  return [
    ...(missing > 0 ? [error('screenshots', screenshotsMissing(missing), SCREENSHOTS_FIX)] : []),
    ...(screenshots.length > MAX_SCREENSHOTS
      ? [error('screenshots', 'There are too many screenshots.', `At most ${MAX_SCREENSHOTS} are allowed.`)]
      : []),
    ...screenshots.flatMap(({ url, caption }, index) => [
      ...(url
        ? checkPicture(`screenshots.${index}.url`, url, 'screenshot', sizes)
        : [error(`screenshots.${index}.url`, 'Enter an address, or remove the screenshot.', '')]),
      ...checkRepeated(screenshots, index),
      ...(lengthOf(caption) > MAX_CAPTION_LENGTH
        ? [
            error(
              `screenshots.${index}.caption`,
              'The caption is too long.',
              `At most ${MAX_CAPTION_LENGTH}.`,
            ),
          ]
        : []),
    ]),
  ];
}

function checkRepeated(screenshots: Listing['screenshots'], index: number): ListingFinding[] {
  const url = screenshots[index]?.url;
  const first = screenshots.findIndex((screenshot) => screenshot.url === url);
  if (!url || first === index) return [];
  const field = `screenshots.${index}.url`;
  return [
    warning(
      field,
      `This is screenshot ${first + 1} again.`,
      'Use another picture, or remove it.',
      'repeated',
    ),
  ];
}

/** Returns whether a finding is a picture that cannot be loaded or does not fit: nobody submits that by accident. */
export const isAboutPicture = ({ field, severity, code }: ListingFinding): boolean =>
  severity === 'WARNING' && /^(logoUrl|bannerUrl|screenshots\.\d+\.url)$/.test(field) && code !== 'missing';

/** Returns whether a mistake also prevents saving. The number of screenshots matters only for a submission. */
export const preventsSaving = ({ field, severity }: ListingFinding): boolean =>
  severity === 'ERROR' && field !== 'screenshots';

/** Returns the findings at a field; `screenshots` includes `screenshots.0.url`. */
export const findingsAt = (findings: readonly ListingFinding[], field: string): ListingFinding[] =>
  findings.filter((each) => each.field === field || each.field.startsWith(`${field}.`));
