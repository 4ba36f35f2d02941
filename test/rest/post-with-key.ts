import type { Service } from '../support/service.js';

export interface PostRequest {
  path: string;
  body?: unknown;
  bearer: string | null;
}

interface PostResponse {
  status: number;
  code: string | null;
  json: Record<string, never> & { error?: { message: string; details: unknown[] } };
  text: string;
  headers: Headers;
}

/** Sends a POST with an Idempotency-Key; null for none. */
export async function postWithKey(
  { client }: Service,
  { path, body, bearer }: PostRequest,
  key: string | null,
  headers: Record<string, string> = {},
): Promise<PostResponse> {
  const response = await client.request('POST', path, {
    bearer,
    ...(body !== undefined && { body }),
    headers: { ...(key !== null && { 'idempotency-key': key }), ...headers },
  });
  const text = await response.text();
  const json = JSON.parse(text);
  return { status: response.status, code: json.error?.code ?? null, json, text, headers: response.headers };
}

/** Counts rows: `countRows(service, 'from apps where name = $1', [name])`. */
export async function countRows({ sql }: Service, from: string, values: unknown[] = []): Promise<number> {
  const rows = await sql<{ count: number }>(`select count(*)::int as count ${from}`, values);
  return rows[0]!.count;
}
