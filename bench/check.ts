import { isDeepStrictEqual } from 'node:util';
import { type LoadRequest, UNIQUE } from './load/load.types.js';
import type { Kind, Row } from './rows.js';
import type { Server } from './servers/servers.js';

/** What one server said to one request. */
interface Said {
  readonly status: number;
  readonly length: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of several servers and shapes, looked into by comparing.
  readonly json: any;
}

let unique = 0;

/** Sends a request as the generator would, and reads the answer whole. */
export async function send(server: Server, request: LoadRequest): Promise<Said> {
  unique += 1;
  const answer = await fetch(`http://127.0.0.1:${server.port}${request.path}`, {
    method: request.method,
    headers: {
      ...(request.bearer !== undefined && { authorization: `Bearer ${request.bearer}` }),
      ...(request.body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(request.body !== undefined && {
      body: request.body.replace(UNIQUE, `check-${process.pid}-${unique}`),
    }),
  });
  const body = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, length: body.length, json: JSON.parse(body.toString()) };
}

const ids = (apps: { id: string }[]) => apps.map(({ id }) => id);

/** What has to be the same whoever answers. */
const essence: Record<Kind, (json: Said['json']) => unknown> = {
  page: (json) => ({ ids: ids(json.apps), pagination: json.pagination }),
  // Who ranks better may order otherwise, but the same apps match; all of them are seen where they fit on the page.
  search: ({ apps, pagination }) => ({
    total: pagination.total,
    ids: pagination.total <= pagination.limit ? ids(apps).sort() : apps.length,
  }),
  app: (json) => ({
    id: json.id,
    name: json.name,
    developer: json.developer,
    longDescription: json.longDescription,
  }),
  list: (json) => ids(json.apps),
  categories: (json) =>
    new Map(json.categories.map(({ category, count }: Record<string, unknown>) => [category, count])),
  graphql: (json) => json.data,
  install: (json) => json,
  mixed: () => null,
};

const SAMPLES = 12;

/** Asks every server some of the row's requests, and stops the bench if they do not agree. */
export async function checkRow(row: Row, servers: readonly Server[]): Promise<void> {
  const step = Math.max(1, Math.floor(row.requests.length / SAMPLES));
  const samples = row.requests.filter((_, index) => index % step === 0).slice(0, SAMPLES);
  for (const request of samples) {
    const answers = await Promise.all(
      servers.map(async (server) => ({ server, ...(await send(server, request)) })),
    );
    const [first, ...others] = answers;
    for (const { server, status } of answers)
      if (status !== request.status)
        throw new Error(`${row.name}: ${server.variant} answers ${status} to ${request.path}`);
    if (!first) continue;
    for (const other of others) compare(row, request, first, other);
  }
}

function compare(
  row: Row,
  request: LoadRequest,
  a: Said & { server: Server },
  b: Said & { server: Server },
): void {
  const [left, right] = [essence[row.kind](a.json), essence[row.kind](b.json)];
  if (request.loose || isDeepStrictEqual(left, right)) return;
  const short = (value: unknown) => JSON.stringify(value)?.slice(0, 600);
  throw new Error(
    `${row.name}: the answers to ${request.path} ${request.body ?? ''} differ.\n  ${a.server.variant}: ${short(left)}\n  ${b.server.variant}: ${short(right)}`,
  );
}
