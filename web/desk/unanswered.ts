interface Conversation<M> {
  readonly messages: { readonly edges: readonly { readonly node: M }[] };
  readonly submissions: {
    readonly edges: readonly { readonly node: { readonly decidedAt: string | null } }[];
  };
}

/**
 * Returns the last message if the developer has written it and nothing was decided since; null if it is answered, if the
 * decision on an earlier submission has ended it, or if there is none.
 */
export function unansweredMessage<M extends { readonly author: string; readonly createdAt: string }>({
  messages,
  submissions,
}: Conversation<M>): M | null {
  const last = messages.edges.at(-1)?.node;
  if (last?.author !== 'DEVELOPER') return null;
  const writtenAt = Date.parse(last.createdAt);
  return submissions.edges.some(({ node: { decidedAt } }) => decidedAt && Date.parse(decidedAt) >= writtenAt)
    ? null
    : last;
}
