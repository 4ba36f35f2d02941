import { imageSize } from 'image-size';

export type ImageType = 'png' | 'jpg';

/** What the first bytes of a picture say of it. */
export interface ImageHeader {
  type: ImageType;
  /** Null: it begins like a picture, and then makes no sense. */
  size: { width: number; height: number } | null;
}

/** How much of a file its header may take: thumbnails and colour profiles included. What comes after is never looked at. */
export const headerBytes = 256 * 1024;

const signatures: Record<ImageType, Buffer> = {
  png: Buffer.from('89504e470d0a1a0a', 'hex'),
  jpg: Buffer.from('ffd8ff', 'hex'),
};

/** Reads type and size from the beginning of a file. No pixel is ever decoded, so no picture can blow up here. */
export function readImageHeader(beginning: Buffer): ImageHeader | null {
  const known = Object.entries(signatures).find(([, signature]) =>
    beginning.subarray(0, signature.length).equals(signature),
  );
  if (!known) return null;
  const type = known[0] as ImageType;
  try {
    // A Buffer, not any Uint8Array: image-size slices it for each segment, which must not copy.
    const { width, height, orientation = 1 } = imageSize(beginning.subarray(0, headerBytes));
    if (!(width > 0 && height > 0)) return { type, size: null };
    // Cameras that are held upright say so instead of turning the picture.
    return { type, size: orientation >= 5 ? { width: height, height: width } : { width, height } };
  } catch {
    return { type, size: null };
  }
}
