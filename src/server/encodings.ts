import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';

/** Encodings of bodies; the first one is preferred. */
export const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** A window of 256 KB: the default of 4 MB is allocated and cleared for each response, which takes longer than the rest. */
const brotli = (quality: number) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_LGWIN]: 18 },
});

/** Low levels: even the largest file, of 3 MB, costs less than 100 ms, once. */
export const compressFile: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(brotliCompress)(body, brotli(3)),
  gzip: (body) => promisify(gzip)(body, { level: 4 }),
};

const quick = { br: brotli(1), gzip: { level: 1 } };
const compressAtOnce: Record<Encoding, (body: Buffer) => Buffer> = {
  br: (body) => brotliCompressSync(body, quick.br),
  gzip: (body) => gzipSync(body, quick.gzip),
};
const compressBeside: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(brotliCompress)(body, quick.br),
  gzip: (body) => promisify(gzip)(body, quick.gzip),
};

/** Takes a millisecond; another thread would cost almost as much as it takes over. */
const maxBytesAtOnce = 131_072;

/** Compresses a response that may never be asked for again, so quickly rather than well. */
export const compressResponse = (encoding: Encoding, body: Buffer): Buffer | Promise<Buffer> =>
  (body.length <= maxBytesAtOnce ? compressAtOnce : compressBeside)[encoding](body);

/** Returns the ETag of the same content in an encoding. */
export const encodedTag = (etag: string, encoding: Encoding): string => etag.replace(/"$/, `-${encoding}"`);

const maxHeaderLength = 500;

/** More than browsers and libraries have. */
const maxKnown = 200;
const known = new Map<string, Accepted>();

/** The encodings that a client accepts, the preferred one first; `best` is null if it gets the text as it is. */
interface Accepted {
  readonly all: readonly Encoding[];
  readonly best: Encoding | null;
}

/** Reads `Accept-Encoding`: by its weights, brotli first where they are equal. */
export function acceptedEncodings(header: string | string[] = ''): Accepted {
  const accepted = String(header);
  if (accepted.length > maxHeaderLength) return { all: [], best: null };
  const before = known.get(accepted);
  if (before !== undefined) return before;
  const read = readWeights(accepted);
  if (known.size < maxKnown) known.set(accepted, read);
  return read;
}

/** Chooses the encoding of a response; null for no compression. */
export const chooseEncoding = (header?: string | string[]): Encoding | null => acceptedEncodings(header).best;

function readWeights(accepted: string): Accepted {
  const weights = new Map(accepted.toLowerCase().split(',').map(weighted));
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0;
  const identity = weights.get('identity') ?? 0;
  const all = encodings
    .filter((coding) => weightOf(coding) > 0)
    .toSorted((a, b) => weightOf(b) - weightOf(a));
  return { all, best: all.find((coding) => weightOf(coding) >= identity) ?? null };
}

function weighted(item: string): [coding: string, weight: number] {
  const [coding = '', ...parameters] = item.split(';').map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return [coding, weight === undefined ? 1 : Number(weight) || 0];
}
