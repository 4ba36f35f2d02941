import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32, deflateSync } from 'node:zlib';

function chunk(name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([head, body, check]);
}

/** The first bytes of a PNG. */
export function pngHeader(width: number, height: number): Buffer {
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  // One bit of grey for each pixel.
  size.set([1, 0, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', size)]);
}

/** A whole PNG, all black. */
export function png(width: number, height: number): Buffer {
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height));
  return Buffer.concat([pngHeader(width, height), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

/** The header of a JPG; `orientation` is the EXIF orientation that a camera records. */
export function jpg(width: number, height: number, orientation?: number): Buffer {
  const exif = Buffer.from(
    `457869660000${'4d4d002a00000008'}${'0001'}${'011200030000000100010000'}00000000`,
    'hex',
  );
  if (orientation) exif.writeUInt16BE(orientation, 24);
  const app1 = Buffer.concat([Buffer.from('ffe1', 'hex'), uint16(exif.length + 2), exif]);
  const app0 = Buffer.from('ffe000104a46494600010100000100010000', 'hex');
  const frame = Buffer.concat([
    Buffer.from('ffc0001108', 'hex'),
    uint16(height),
    uint16(width),
    Buffer.from('03012200021101031101', 'hex'),
  ]);
  return Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    orientation ? app1 : app0,
    frame,
    Buffer.from('ffd9', 'hex'),
  ]);
}

function uint16(value: number): Buffer {
  const buffer = Buffer.alloc(2);
  buffer.writeUInt16BE(value);
  return buffer;
}

/** A server of pictures on this machine: `/png/1280x720` is one of that size, and a test may serve what else it likes. */
export interface PictureServer {
  /** Its place on the allow-list. */
  readonly host: string;
  /** Every path that was asked for. */
  readonly asked: string[];
  url(path: string): string;
  /** Serves a response of the test; returns its address. */
  serve(path: string, answer: RequestListener): string;
  close(): Promise<void>;
}

/** The options of a service that may fetch these pictures, which are on this machine. */
export const mayFetch = ({ host }: Pick<PictureServer, 'host'>) => ({
  assetChecks: { allowedHosts: [host], resolve: async () => [] },
});

export async function startPictureServer(): Promise<PictureServer> {
  const own = new Map<string, RequestListener>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const [, type, width, height] = /^\/(png|jpg)\/(\d+)x(\d+)/.exec(path) ?? [];
    const answer = own.get(path);
    if (answer) answer(request, response);
    else if (!type) response.writeHead(404).end();
    else {
      const make = type === 'png' ? png : jpg;
      response
        .writeHead(200, { 'content-type': type === 'png' ? 'image/png' : 'image/jpeg' })
        .end(make(Number(width), Number(height)));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = (path: string) => `http://${host}${path}`;
  return {
    host,
    asked,
    url,
    serve(path, answer) {
      own.set(path, answer);
      return url(path);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
