import { crc32, deflateSync } from 'node:zlib';

const maxColours = 256;

/** Encodes opaque RGBA pixels as a PNG with a palette. Rare shades of a smoothed edge become the nearest frequent colour. */
export function encodePng(pixels, width, height) {
  const { palette, indexOf } = paletteOf(pixels);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      rows[y * (width + 1) + 1 + x] = indexOf(pixels.readUInt32BE((y * width + x) * 4) >>> 8);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits for each pixel, which are an index into the palette.
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channelsOf))),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function paletteOf(pixels) {
  const counts = new Map();
  for (let at = 0; at < pixels.length; at += 4) {
    const colour = pixels.readUInt32BE(at) >>> 8;
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const byFrequency = [...counts].sort(([a, m], [b, n]) => n - m || a - b).map(([colour]) => colour);
  const palette = byFrequency.slice(0, maxColours);
  const known = new Map(palette.map((colour, index) => [colour, index]));
  for (const colour of byFrequency.slice(maxColours)) known.set(colour, nearest(palette, colour));
  return { palette, indexOf: (colour) => known.get(colour) };
}

const channelsOf = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];

function nearest(palette, colour) {
  const [r, g, b] = channelsOf(colour);
  const distances = palette.map((other) => {
    const [or, og, ob] = channelsOf(other);
    return (r - or) ** 2 + (g - og) ** 2 + (b - ob) ** 2;
  });
  return distances.indexOf(Math.min(...distances));
}

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
