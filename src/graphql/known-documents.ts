import type { IncomingMessage } from 'node:http';
import { type DocumentNode, getOperationAST, type OperationDefinitionNode } from 'graphql';
import type { HttpResponse } from '../server/http-response.js';
import type { DocumentStore } from './document-cache.js';

/** An operation of a document that Apollo has run before, for requests that Apollo treats alike. */
export interface KnownOperation {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  /** The headers that Apollo gives to every successful response. */
  headers: HttpResponse['headers'];
}

/** More combinations of headers and operation names than honest clients of one document have. */
const maxForms = 20;
const maxFormLength = 500;

/**
 * The operations that Apollo has run without an error. Of a request only the document, the operation's name and two
 * headers decide how Apollo responds to a success, so such an operation can be executed without Apollo. All others, and
 * those of documents that are no longer in the store of validated ones, are left to Apollo.
 */
export class KnownDocuments {
  private readonly known = new WeakMap<DocumentNode, Map<string, KnownOperation>>();

  constructor(private readonly documents: DocumentStore) {}

  find(request: IncomingMessage, body: Record<string, unknown>): KnownOperation | null {
    const form = formOf(request, body);
    const document = form === null ? undefined : this.documents.find(String(body.query));
    return (document && this.known.get(document)?.get(form!)) ?? null;
  }

  /** Remembers an operation that Apollo has run without an error. */
  add(request: IncomingMessage, body: Record<string, unknown>, headers: HttpResponse['headers']): void {
    const form = formOf(request, body);
    const document = form === null ? undefined : this.documents.find(String(body.query));
    const operation = document && getOperationAST(document, body.operationName as string | null | undefined);
    if (!operation) return;
    const forms = this.known.get(document) ?? new Map<string, KnownOperation>();
    this.known.set(document, forms);
    if (forms.size < maxForms) forms.set(form!, { document, operation, headers });
  }
}

/** Returns everything of a request that Apollo reads, except document and variables; null if it is not of the usual form. */
function formOf(
  { method, headers }: IncomingMessage,
  { query, operationName = null, variables = null, extensions = null }: Record<string, unknown>,
): string | null {
  const isUsual =
    method === 'POST' &&
    typeof query === 'string' &&
    (operationName === null || (typeof operationName === 'string' && operationName !== '')) &&
    typeof variables === 'object' &&
    !Array.isArray(variables) &&
    extensions === null;
  const form = isUsual ? `${headers.accept}\n${headers['content-type']}\n${operationName}` : null;
  return form !== null && form.length <= maxFormLength ? form : null;
}
