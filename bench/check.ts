import { isDeepStrictEqual } from 'node:util';
import { type LoadRequest, UNIQUE } from './load/load.types.js';
import type { Kind, Row } from './rows.js';
import type { Server } from './servers/servers.js';

/** The response of one server to one request. */
interface CheckedResponse {
  readonly status: number;
  readonly length: number;
  // biome-ignore lint/suspicious/noExplicitAny: responses of several servers have several shapes, which only the comparison reads.
  readonly json: any;
}

let unique = 0;

/** Sends a request like the load generator and reads the whole response. */
export async function send(server: Server, request: LoadRequest): Promise<CheckedResponse> {
  unique += 1;
  const value = `check-${process.pid}-${unique}`;
  const response = await fetch(`http://127.0.0.1:${server.port}${request.path}`, {
    method: request.method,
    headers: {
      // Without it, fetch would ask for compressed bodies, unlike the load generator.
      'accept-encoding': 'identity',
      ...Object.fromEntries(
        Object.entries(request.headers ?? {}).map(([name, text]) => [name, text.replace(UNIQUE, value)]),
      ),
      ...(request.bearer !== undefined && { authorization: `Bearer ${request.bearer}` }),
      ...(request.body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(request.body !== undefined && { body: request.body.replace(UNIQUE, value) }),
  });
  const body = Buffer.from(await response.arrayBuffer());
  // The length of a compressed body, which fetch has decompressed.
  const length = Number(response.headers.get('content-length') ?? body.length);
  return { status: response.status, length, json: JSON.parse(body.toString()) };
}

const ids = (apps: { id: string }[]) => apps.map(({ id }) => id);

/** The part of a response that must be the same for all servers. */
const compared: Record<Kind, (json: CheckedResponse['json'], request: LoadRequest) => unknown> = {
  page: (json) => ({ ids: ids(json.apps), pagination: json.pagination }),
  // The ranking may differ, but the same apps must match; they can be compared if all of them fit on the page.
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
  // After the names that start with the prefix, similar ones may follow.
  suggest: ({ data }, { body }) => {
    const { prefix } = JSON.parse(body ?? '').variables;
    return data.suggest.filter(({ name }: { name: string }) => name.toLowerCase().startsWith(prefix));
  },
  install: (json) => json,
  mixed: () => null,
};

const SAMPLES = 12;

/** Sends some requests of the row to every server, and stops the bench if the responses differ. */
export async function checkRow(row: Row, servers: readonly Server[]): Promise<void> {
  const step = Math.max(1, Math.floor(row.requests.length / SAMPLES));
  const samples = row.requests.filter((_, index) => index % step === 0).slice(0, SAMPLES);
  for (const request of samples) {
    const responses = await Promise.all(
      servers.map(async (server) => ({ server, ...(await send(server, request)) })),
    );
    const [first, ...others] = responses;
    for (const { server, status } of responses)
      if (status !== request.status)
        throw new Error(
          `${row.name}: ${server.variant} responds ${status} to ${request.path} ${request.body ?? ''}`,
        );
    if (!first) continue;
    for (const other of others) compare(row, request, first, other);
  }
}

function compare(
  row: Row,
  request: LoadRequest,
  a: CheckedResponse & { server: Server },
  b: CheckedResponse & { server: Server },
): void {
  const [left, right] = [compared[row.kind](a.json, request), compared[row.kind](b.json, request)];
  if (request.loose || isDeepStrictEqual(left, right)) return;
  const short = (value: unknown) => JSON.stringify(value)?.slice(0, 600);
  throw new Error(
    `${row.name}: the responses to ${request.path} ${request.body ?? ''} differ.\n  ${a.server.variant}: ${short(left)}\n  ${b.server.variant}: ${short(right)}`,
  );
}
