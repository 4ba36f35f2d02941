import { describe, expect, it } from '@jest/globals';
import { type MeasuredResponse, ResponseReader } from '../../bench/load/response-reader.js';

const answers = [
  'HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n{"apps":[{}]}',
  'HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n3;x=y\r\n 1}\r\n0\r\nx: y\r\n\r\n',
  'HTTP/1.1 304 Not Modified\r\netag: "x"\r\n\r\n',
  `HTTP/1.1 404 Not Found\r\ncontent-length: 40\r\n\r\n${'x'.repeat(40)}`,
];
const expected: MeasuredResponse[] = [
  { status: 200, length: 13, start: '{"apps":[{}]}' },
  { status: 201, length: 8, start: '{"a": 1}' },
  { status: 304, length: 0, start: '' },
  { status: 404, length: 40, start: 'x'.repeat(16) },
];

describe("the bench's reader of responses", () => {
  it.each([1, 2, 3, 7, 16, 64, 1000])('reads the same in any chunks: pieces of %i', (size) => {
    const bytes = Buffer.from(answers.join(''));
    const read: MeasuredResponse[] = [];
    const reader = new ResponseReader((response) => read.push(response));
    for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
    expect(read).toEqual(expected);
  });

  it('refuses what is not a chunk', () => {
    const reader = new ResponseReader(() => undefined);
    const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
    expect(() => reader.push(Buffer.from(`${head}nonsense\r\n`))).toThrow('not the size of a chunk');
  });
});
