// Baseline `static`, the upper bound: node:http that writes a prepared buffer of the size that its parent sets.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exitWithParent } from '../child.js';

exitWithParent();

let body = Buffer.alloc(0);

const server = createServer((req, res) => {
  res.writeHead(req.url?.endsWith('/install') ? 201 : 200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  });
  res.end(body);
});
server.keepAliveTimeout = 0;

process.on('message', ({ length }: { length: number }) => {
  body = Buffer.alloc(length, ' ');
  process.send?.({ set: true });
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
