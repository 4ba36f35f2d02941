import { imageSize } from 'image-size';
import type { FetchProblemCode } from '../../net/fetch-problem.js';
import type { FindingCode } from '../listings/finding.types.js';
import type { Listing } from '../listings/listing.entity.js';

type ImageKind = 'logo' | 'banner' | 'screenshot';

/** A URL of a listing, with the field that contains it. */
export interface Asset {
  field: string;
  url: string;
  kind: ImageKind | 'link';
}

/** A problem with an image or link. */
export interface AssetProblem {
  code: FindingCode;
  message: string;
  fix: string;
}

export const maxImageMegabytes = 10;
/** Larger images need too much memory on the viewer's device. */
const maxSidePixels = 10_000;

interface ImageRule {
  required: string;
  fits(width: number, height: number): boolean;
}
const imageRules: Record<ImageKind, ImageRule> = {
  logo: {
    required: 'a square PNG or JPG of at least 512×512 pixels',
    fits: (width, height) => width === height && width >= 512,
  },
  banner: {
    required: 'a PNG or JPG of exactly 1200×600 pixels',
    fits: (width, height) => width === 1200 && height === 600,
  },
  screenshot: {
    required: 'a PNG or JPG of at least 1280×720 pixels',
    fits: (width, height) => width >= 1280 && height >= 720,
  },
};

/** The only field that is a link and not an image. */
export const linkField = 'websiteUrl';

/** Lists every URL of a listing. */
export function assetsOf({ logoUrl, bannerUrl, websiteUrl, screenshots }: Listing): Asset[] {
  const one = (field: string, url: string | null, kind: Asset['kind']) => (url ? [{ field, url, kind }] : []);
  return [
    ...one('logoUrl', logoUrl, 'logo'),
    ...one('bannerUrl', bannerUrl, 'banner'),
    ...screenshots.flatMap(({ url }, position) => one(`screenshots.${position}.url`, url, 'screenshot')),
    ...one(linkField, websiteUrl, 'link'),
  ];
}

/** Checks an image's type and size against the rules of its kind; returns null if there is no problem. */
export function imageProblem(
  kind: ImageKind,
  header: ImageHeader | null,
  contentType: string,
): AssetProblem | null {
  const { required, fits } = imageRules[kind];
  const fix = `Use ${required}.`;
  if (!header) return { code: 'wrong_type', message: 'The file is neither a PNG nor a JPG.', fix };
  const name = header.type.toUpperCase();
  if (!isServedAs(header, contentType)) {
    return {
      code: 'wrong_type',
      message: `The file is a ${name}, but its server sends the Content-Type ${contentType}.`,
      fix: `Configure the server to send the Content-Type image/${header.type === 'jpg' ? 'jpeg' : 'png'}.`,
    };
  }
  if (!header.size)
    return {
      code: 'unreadable',
      message: `The file begins like a ${name}, but its width and height cannot be read.`,
      fix,
    };
  const { width, height } = header.size;
  if (Math.max(width, height) > maxSidePixels)
    return {
      code: 'wrong_size',
      message: `The image is ${width}×${height} pixels. No side may have more than ${maxSidePixels} pixels.`,
      fix,
    };
  return fits(width, height)
    ? null
    : { code: 'wrong_size', message: `The image is ${width}×${height} pixels.`, fix };
}

/** Accepts the generic types too: file storage services often send them, and browsers show the image anyway. */
function isServedAs({ type }: ImageHeader, contentType: string): boolean {
  const accepted = { png: ['image/png'], jpg: ['image/jpeg', 'image/jpg'] }[type];
  return ['', 'application/octet-stream', 'binary/octet-stream', ...accepted].includes(contentType);
}

const fixes: Partial<Record<FetchProblemCode, string>> = {
  too_large: `Use a file of at most ${maxImageMegabytes} MB.`,
  busy: 'Try again in a minute.',
  timeout: 'Use a server that responds within a few seconds.',
};

/** Returns the advice for a URL that could not be fetched. */
export const fixOf = (code: FetchProblemCode): string =>
  fixes[code] ?? 'Use a URL that anyone on the internet can open without signing in.';

export type ImageType = 'png' | 'jpg';

/** Type and size of an image, read from its first bytes. */
export interface ImageHeader {
  type: ImageType;
  /** Null if the file begins like an image but its header is not valid. */
  size: { width: number; height: number } | null;
}

/** The part of a file that may contain its header, thumbnails and colour profiles included. The rest is not parsed. */
export const headerBytes = 256 * 1024;

const signatures: Record<ImageType, Buffer> = {
  png: Buffer.from('89504e470d0a1a0a', 'hex'),
  jpg: Buffer.from('ffd8ff', 'hex'),
};

/** Reads type and size from the beginning of a file. No pixel is decoded, so a decompression bomb does no harm. */
export function readImageHeader(beginning: Buffer): ImageHeader | null {
  const match = Object.entries(signatures).find(([, signature]) =>
    beginning.subarray(0, signature.length).equals(signature),
  );
  if (!match) return null;
  const type = match[0] as ImageType;
  try {
    // A Buffer, not any Uint8Array: image-size slices it for each segment, which must not copy.
    const { width, height, orientation = 1 } = imageSize(beginning.subarray(0, headerBytes));
    if (!(width > 0 && height > 0)) return { type, size: null };
    // From orientation 5 on, a viewer rotates the image by 90°, which swaps width and height.
    return { type, size: orientation >= 5 ? { width: height, height: width } : { width, height } };
  } catch {
    return { type, size: null };
  }
}
