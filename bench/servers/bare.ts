// Baseline `bare`: a fast implementation by hand: node:http and pg, named prepared statements, an exact total, no cache.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { exitWithParent } from '../child.js';
import {
  appsOf,
  bySlug,
  categories,
  developerOf,
  featured,
  install,
  installOnce,
  page,
  suggest,
} from './bare.queries.js';

exitWithParent();

/** Status and JSON. */
type HttpResponse = [number, string];

const pool = new pg.Pool({ connectionString: process.argv[2], max: 16 });

async function handle(req: IncomingMessage): Promise<HttpResponse> {
  const url = req.url ?? '/';
  if (url === '/graphql') return [200, await graphql(JSON.parse(await bodyOf(req)))];
  if (url === '/api/dev/apps') return mine(req);
  if (url === '/api/apps/featured/list') return [200, await featured(pool)];
  if (url === '/api/apps/categories/list') return [200, await categories(pool)];
  if (url.endsWith('/install')) {
    const { installationId } = JSON.parse(await bodyOf(req)) as { installationId: string };
    const slug = url.slice('/api/apps/'.length, -'/install'.length);
    const key = req.headers['idempotency-key'];
    const result =
      typeof key === 'string'
        ? installOnce(pool, slug, installationId, key)
        : install(pool, slug, installationId);
    return found(201, await result);
  }
  if (url.startsWith('/api/apps/')) return found(200, await bySlug(pool, url.slice('/api/apps/'.length)));
  return [200, await list(new URLSearchParams(url.slice(url.indexOf('?') + 1)))];
}

const list = (query: URLSearchParams) =>
  page(pool, {
    category: query.get('category') ?? undefined,
    environment: query.get('environment') ?? undefined,
    featured: query.get('featured') ?? undefined,
    search: query.get('search') ?? undefined,
    sort: query.get('sort') ?? undefined,
    page: Number(query.get('page') ?? 1),
    limit: Number(query.get('limit') ?? 20),
  });

/** Handles the GraphQL documents of the bench by operation name, without a GraphQL library. */
async function graphql({ operationName, variables }: { operationName: string; variables: Variables }) {
  const { slug = '', input, prefix = '', first = 10, filter, page: number = 1, limit = 20 } = variables;
  switch (operationName) {
    case 'App':
      return data('app', (await bySlug(pool, slug, 'appBySlug')) ?? 'null');
    case 'Suggest':
      return data('suggest', await suggest(pool, prefix, first));
    case 'Install':
      return data('recordInstall', (await install(pool, slug, input?.installationId ?? '')) ?? 'null');
    default: {
      const fields = operationName === 'AppsWithDeveloper' ? 'cardWithDeveloper' : 'card';
      return data('browseApps', await page(pool, { ...filter, page: number, limit }, fields));
    }
  }
}

const data = (field: string, json: string) => `{"data":{"${field}":${json}}}`;

interface Variables {
  slug?: string;
  input?: { installationId: string };
  prefix?: string;
  first?: number;
  filter?: { category?: string; environment?: string };
  page?: number;
  limit?: number;
}

async function mine(req: IncomingMessage): Promise<HttpResponse> {
  const token = req.headers.authorization?.slice('Bearer '.length) ?? '';
  const developer = await developerOf(pool, createHash('sha256').update(token).digest());
  return developer === undefined ? [401, '{}'] : [200, await appsOf(pool, developer)];
}

const found = (status: number, json: string | undefined): HttpResponse =>
  json === undefined ? [404, '{}'] : [status, json];

const bodyOf = (req: IncomingMessage) =>
  new Promise<string>((resolve, reject) => {
    let text = '';
    req.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    req.on('end', () => resolve(text)).on('error', reject);
  });

function send(res: ServerResponse, status: number, json: string): void {
  const body = Buffer.from(json);
  res.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length });
  res.end(body);
}

const server = createServer((req, res) => {
  handle(req).then(
    ([status, json]) => send(res, status, json),
    (error: unknown) => send(res, 500, JSON.stringify({ error: String(error) })),
  );
});
server.keepAliveTimeout = 0;

server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
