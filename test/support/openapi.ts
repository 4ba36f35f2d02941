import { expect } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

type Json = Record<string, unknown>;

/** The schema of a response body in the OpenAPI document. */
interface Described {
  responses: Record<string, { content?: { 'application/json': { schema: Json } } }>;
}

/** An OpenAPI document to validate responses with: no missing and no extra fields. */
export class OpenApi {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(readonly document: { paths: Record<string, Record<string, Described>> }) {
    formats.default(this.ajv);
    this.ajv.addSchema(closed(document) as Json, 'document');
  }

  /** The problems of a value against the schema at a JSON pointer of the document. */
  problems(pointer: string, value: unknown): unknown[] {
    const validate = this.validators.get(pointer) ?? this.ajv.compile({ $ref: `document#${pointer}` });
    this.validators.set(pointer, validate);
    return validate(value) ? [] : (validate.errors ?? []);
  }

  /** The value at a JSON pointer of the document; undefined: none. */
  at(pointer: string): unknown {
    const parts = pointer.split('/').slice(1).map(unescapePart);
    return parts.reduce<unknown>((place, part) => (place as Json | undefined)?.[part], this.document);
  }

  /** Validates a body with the schema of this response. */
  expectAnswer(method: string, path: string, status: number, body: unknown): void {
    const template = path.replace(/:(\w+)/g, '{$1}');
    const described = this.document.paths[template]?.[method.toLowerCase()]?.responses[status];
    expect(described?.content?.['application/json'].schema).toBeDefined();
    const place = ['paths', template, method.toLowerCase(), 'responses', String(status)];
    const pointer = [...place, 'content', 'application/json', 'schema'].map(escapePart).join('');
    expect(this.problems(pointer, body)).toEqual([]);
  }
}

export const escapePart = (part: string) =>
  `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`;

const unescapePart = (part: string) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');

/** A copy in which an object has the properties that are named and no others. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  const isObject = copy.type === 'object' && 'properties' in copy;
  return isObject ? { ...copy, additionalProperties: false } : copy;
}
