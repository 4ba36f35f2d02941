import { type AnyVariables, stringifyDocument, type TypedDocumentNode } from '@urql/preact';
import { pathOf } from './settings.ts';
import { authorization } from './streams.ts';

const MAX_BYTES = 60_000;

/** Returns whether the browser can complete a request after its page has gone. Browsers refuse this from 64 KiB on. */
export const canOutlivePage = (variables: AnyVariables): boolean =>
  new Blob([JSON.stringify(variables)]).size < MAX_BYTES;

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
  const keepalive = canOutlivePage(variables);
  return () => void fetch(pathOf('/graphql'), { method: 'POST', keepalive, headers, body });
}
