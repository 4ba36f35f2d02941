import { validate as isUuid } from 'uuid';

/** Names an object: by its type and id, or by its id alone if the type is null. */
export interface NodeReference {
  type: string | null;
  id: string;
}

/** Returns the id that is unique among all types (D151). */
export const nodeIdOf = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString('base64url');

/** Reads a `nodeId` or a UUID; null for any other text. */
export function readNodeId(value: string): NodeReference | null {
  if (isUuid(value)) return { type: null, id: value.toLowerCase() };
  const [type = '', id = ''] = Buffer.from(value, 'base64url').toString().split(':');
  const isCanonical = isUuid(id) && id === id.toLowerCase() && nodeIdOf(type, id) === value;
  return isCanonical ? { type, id } : null;
}
