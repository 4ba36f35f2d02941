import type { AnyVariables, Client, TypedDocumentNode } from '@urql/preact';
import { forgetDraft } from '../client/draft.ts';
import { canOutlivePage, prepareLastRequest } from '../client/last-request.ts';
import { type Problem, problemsOf } from '../client/problems.ts';
import { Signal, useSignal } from '../client/signal.ts';
import { announce } from '../components/announcements.tsx';

/** Time in which a decision can be undone. Until then the service does not know of it. */
const UNDO_MS = 10_000;

/** A decision that the reviewer has made and that is not sent yet. */
export interface HeldDecision {
  readonly submissionId: string;
  readonly name: string;
  readonly kind: 'approve' | 'reject';
  readonly send: () => Promise<readonly Problem[]>;
  /** Sends it while the page is being left, when nothing can wait for a response. */
  readonly sendAtOnce: () => void;
  /** Names of the drafts that the decision consists of. They are kept until the service has accepted it. */
  readonly drafts: readonly string[];
}

/** A decision that the service did not accept. */
export interface RefusedDecision {
  readonly decision: HeldDecision;
  readonly problems: readonly Problem[];
}

const held = new Signal<HeldDecision | null>(null);
const refused = new Signal<readonly RefusedDecision[]>([]);
const beingSent = new Set<string>();
const undone = new WeakSet<HeldDecision>();
let timer: ReturnType<typeof setTimeout> | undefined;

export const useHeldDecision = (): HeldDecision | null => useSignal(held);
export const useRefusedDecisions = (): readonly RefusedDecision[] => useSignal(refused);

/** Returns the submissions on which the reviewer has decided, although the service may not know of it yet. */
export const decidedSubmissions = (): readonly string[] => [
  ...beingSent,
  ...(held.value ? [held.value.submissionId] : []),
];

interface DecisionToSend<V extends AnyVariables>
  extends Pick<HeldDecision, 'submissionId' | 'name' | 'kind' | 'drafts'> {
  readonly mutation: TypedDocumentNode<unknown, V>;
  readonly variables: V;
}

/** Keeps a decision for a while, and sends the one before. Returns a function that says whether it was undone. */
export async function holdDecision<V extends AnyVariables>(
  client: Client,
  { mutation, variables, ...decision }: DecisionToSend<V>,
): Promise<() => boolean> {
  const sendAtOnce = await prepareLastRequest(mutation, variables);
  void sendDecision();
  dismissRefusal(decision.submissionId);
  const next: HeldDecision = {
    ...decision,
    // A page that is left meanwhile must not cancel the request.
    send: async () => {
      const fetchOptions = { keepalive: canOutlivePage(variables) };
      const { error } = await client.mutation(mutation, variables, { fetchOptions }).toPromise();
      return problemsOf(error);
    },
    sendAtOnce,
  };
  held.value = next;
  timer = setTimeout(() => void sendDecision(), UNDO_MS);
  return () => undone.has(next);
}

/** Takes the decision back, and returns the id of its submission. */
export function undoDecision(): string | null {
  const decision = take();
  if (!decision) return null;
  undone.add(decision);
  announce(`Undone: nothing was sent about ${decision.name}.`);
  return decision.submissionId;
}

/** Sends the decision without waiting longer. One that the service refuses is shown by its name. */
async function sendDecision(): Promise<void> {
  const decision = take();
  if (!decision) return;
  beingSent.add(decision.submissionId);
  const problems = await decision.send();
  beingSent.delete(decision.submissionId);
  if (problems.length > 0) {
    refused.value = [...refused.value, { decision, problems }];
    return;
  }
  for (const draft of decision.drafts) forgetDraft(draft);
  announce(`${decision.name} is ${decision.kind === 'approve' ? 'approved' : 'rejected'}.`);
}

/** Sends the decision because the page is being left or the account changes. */
export function sendDecisionAtOnce(): void {
  take()?.sendAtOnce();
  refused.value = [];
}

/** Returns why the service did not accept the decision on a submission. */
export const refusalOf = (refusals: readonly RefusedDecision[], submissionId: string): readonly Problem[] =>
  refusals.find(({ decision }) => decision.submissionId === submissionId)?.problems ?? [];

export function dismissRefusal(submissionId: string): void {
  refused.value = refused.value.filter(({ decision }) => decision.submissionId !== submissionId);
}

function take(): HeldDecision | null {
  const decision = held.value;
  clearTimeout(timer);
  held.value = null;
  return decision;
}
