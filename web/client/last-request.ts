import { type AnyVariables, stringifyDocument, type TypedDocumentNode } from '@urql/preact';
import { pathOf } from './settings.ts';
import { authorization } from './streams.ts';

/**
 * Prepares a mutation that a page sends while it is being left: then nothing can wait for a token or for a response. The
 * browser completes the request after the page has gone.
 */
export async function prepareLastRequest<V extends AnyVariables>(
  mutation: TypedDocumentNode<unknown, V>,
  variables: V,
): Promise<() => void> {
  const headers = { 'content-type': 'application/json', ...(await authorization()) };
  const body = JSON.stringify({ query: stringifyDocument(mutation), variables });
  return () => void fetch(pathOf('/graphql'), { method: 'POST', keepalive: true, headers, body });
}
