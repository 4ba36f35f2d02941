import { useEffect } from 'preact/hooks';
import type { graphql } from '../client/graphql.ts';
import { Signal } from '../client/signal.ts';

export type RejectionCode = ReturnType<typeof graphql.scalar<'RejectionCode'>>;

/** A reason as the reviewer writes it. */
export interface ReasonDraft {
  readonly code: RejectionCode;
  /** Empty if the reason is not about one field. */
  readonly field: string;
  readonly message: string;
}

/** A rejection as the reviewer writes it. */
export interface RejectionDraft {
  readonly reasons: readonly ReasonDraft[];
  readonly guidance: string;
}

const requested = new Signal<ReasonDraft | null>(null);

/** Asks the rejection form to add a reason. */
export function requestReason(reason: ReasonDraft): void {
  requested.value = { ...reason };
}

/** Calls a function with each reason that another part of the page asks for. */
export function useRequestedReasons(onReason: (reason: ReasonDraft) => void): void {
  useEffect(() => requested.follow((reason) => reason && onReason(reason)), [onReason]);
}
