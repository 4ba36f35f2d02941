import { type LoadRequest, UNIQUE } from './load.types.js';

/** A request as bytes, or as the parts between which a unique value is inserted. */
export type Wire = Buffer | readonly string[];

export function wireOf({ method, path, bearer, headers = {}, body }: LoadRequest): Wire {
  const lines = [`${method} ${path} HTTP/1.1`, 'host: bench', 'accept: application/json'];
  if (bearer !== undefined) lines.push(`authorization: Bearer ${bearer}`);
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined)
    lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`);
  const text = `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
  return text.includes(UNIQUE) ? text.split(UNIQUE) : Buffer.from(text);
}

/** Inserts the unique value, padded to the length of the placeholder so that Content-Length stays correct. */
export const withUnique = (wire: Wire, unique: string): Buffer | string =>
  Buffer.isBuffer(wire) ? wire : wire.join(unique.padEnd(UNIQUE.length, '.'));
