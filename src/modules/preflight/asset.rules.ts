import type { FetchProblemCode } from '../../net/fetch-problem.js';
import type { Listing } from '../apps/listing.entity.js';
import type { ImageHeader } from './image.header.js';

type ImageKind = 'logo' | 'banner' | 'screenshot';

/** An address that a listing names. */
interface Asset {
  field: string;
  url: string;
  kind: ImageKind | 'link';
}

/** What is wrong with what was found at an address. */
export interface AssetProblem {
  code: string;
  message: string;
  fix: string;
}

export const maxImageMegabytes = 10;
/** Nobody needs more, and the viewer's device has to hold the whole of it. */
const maxSidePixels = 10_000;

interface ImageRule {
  wanted: string;
  fits(width: number, height: number): boolean;
}
const imageRules: Record<ImageKind, ImageRule> = {
  logo: {
    wanted: 'a square PNG or JPG of at least 512×512 pixels',
    fits: (width, height) => width === height && width >= 512,
  },
  banner: {
    wanted: 'a PNG or JPG of exactly 1200×600 pixels',
    fits: (width, height) => width === 1200 && height === 600,
  },
  screenshot: {
    wanted: 'a PNG or JPG of at least 1280×720 pixels',
    fits: (width, height) => width >= 1280 && height >= 720,
  },
};

/** The field of the one address that is not a picture. */
export const linkField = 'websiteUrl';

/** Every address of a listing, under the field that holds it. */
export function assetsOf({ logoUrl, bannerUrl, websiteUrl, screenshots }: Listing): Asset[] {
  const one = (field: string, url: string | null, kind: Asset['kind']) => (url ? [{ field, url, kind }] : []);
  return [
    ...one('logoUrl', logoUrl, 'logo'),
    ...one('bannerUrl', bannerUrl, 'banner'),
    ...screenshots.flatMap(({ url }, position) => one(`screenshots.${position}.url`, url, 'screenshot')),
    ...one(linkField, websiteUrl, 'link'),
  ];
}

/** What the rules say of a picture, by its header and by what its server calls it. */
export function imageProblem(
  kind: ImageKind,
  header: ImageHeader | null,
  contentType: string,
): AssetProblem | null {
  const { wanted, fits } = imageRules[kind];
  const fix = `Use ${wanted}.`;
  if (!header) return { code: 'wrong_type', message: 'It is neither a PNG nor a JPG.', fix };
  const name = header.type.toUpperCase();
  if (!isServedAs(header, contentType)) {
    return {
      code: 'wrong_type',
      message: `It is a ${name}, but its server calls it ${contentType}.`,
      fix: `Let the server send it with its own Content-Type, image/${header.type === 'jpg' ? 'jpeg' : 'png'}.`,
    };
  }
  if (!header.size)
    return { code: 'unreadable', message: `It begins like a ${name}, but its size cannot be read.`, fix };
  const { width, height } = header.size;
  if (Math.max(width, height) > maxSidePixels)
    return { code: 'wrong_size', message: `It is ${width}×${height} pixels, which is too much.`, fix };
  return fits(width, height)
    ? null
    : { code: 'wrong_size', message: `It is ${width}×${height} pixels.`, fix };
}

/** Stores that know nothing of types call everything a stream of bytes; browsers show it all the same. */
function isServedAs({ type }: ImageHeader, contentType: string): boolean {
  const accepted = { png: ['image/png'], jpg: ['image/jpeg', 'image/jpg'] }[type];
  return ['', 'application/octet-stream', 'binary/octet-stream', ...accepted].includes(contentType);
}

const fixes: Partial<Record<FetchProblemCode, string>> = {
  too_large: `Use a file of at most ${maxImageMegabytes} MB.`,
  timeout: 'Put it on a server that answers within seconds.',
};

/** What to do about an address that could not be fetched. */
export const fixOf = (code: FetchProblemCode): string =>
  fixes[code] ?? 'Use an address that anybody on the internet can open without signing in.';
