import { type AnyVariables, type TypedDocumentNode, useClient } from '@urql/preact';
import { useState } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';
import { useChange } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import type { Problem } from '../client/problems.ts';
import { announce } from '../components/announcements.tsx';
import { useAccount } from './administrators.tsx';
import { NOTHING_LEFT, useNewClaim, useOpenReview, useOwnClaims, whileHere } from './claim-next.tsx';
import { type HeldDecision, holdDecision, refusalOf, useRefusedDecisions } from './held-decision.ts';
import type { ReasonDraft } from './rejection-requests.ts';
import { type FindingData, type ReviewItem, subjectOf } from './review-data.ts';
import { Claim, keepClaim } from './untouched-claims.ts';

const ApproveApp = graphql(`
  mutation DeskApproveApp(
    $id: ID!, $revision: Int!, $note: String, $acknowledge: [FindingCode!], $reason: String
  ) {
    approveApp(id: $id, revision: $revision, note: $note, acknowledge: $acknowledge, reason: $reason) { id status }
  }
`);
const ApproveVersion = graphql(`
  mutation DeskApproveVersion(
    $id: ID!, $revision: Int!, $note: String, $acknowledge: [FindingCode!], $reason: String
  ) {
    approveAppVersion(id: $id, revision: $revision, note: $note, acknowledge: $acknowledge, reason: $reason) { id status }
  }
`);
const RejectApp = graphql(`
  mutation DeskRejectApp($id: ID!, $input: RejectAppInput!) {
    rejectApp(id: $id, input: $input) { id status }
  }
`);
const RejectVersion = graphql(`
  mutation DeskRejectVersion($id: ID!, $input: RejectAppVersionInput!) {
    rejectAppVersion(id: $id, input: $input) { id status }
  }
`);

/** The findings in spite of which something is approved, and why. */
interface Acknowledged {
  readonly codes: readonly FindingData['code'][];
  readonly reason: string;
}

/** Decides on a submission. */
export interface Decision {
  /** The reasons why a decision was not possible. */
  readonly problems: readonly Problem[];
  readonly isDeciding: boolean;
  readonly approve: (note: string, acknowledged?: Acknowledged) => void;
  readonly reject: (reasons: readonly ReasonDraft[], guidance: string) => void;
}

/** Decides on a submission, and opens the next one. The decision is sent when it can no longer be undone. */
export function useDecision(item: ReviewItem, revision: number): Decision {
  const client = useClient();
  const account = useAccount();
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [isDeciding, setIsDeciding] = useState(false);
  const [claim] = useChange(Claim);
  const goOn = useGoOn();
  const refusal = refusalOf(useRefusedDecisions(), item.id);
  const { id, name } = subjectOf(item);
  const decide = async <V extends AnyVariables>(
    kind: HeldDecision['kind'],
    mutation: TypedDocumentNode<unknown, V>,
    variables: V,
    drafts: readonly string[],
  ) => {
    setIsDeciding(true);
    const isHere = whileHere();
    // Until the decision is sent, nobody else may decide, and the submission must not be its own next one.
    const claimed =
      item.claim?.by === account ? { problems: [] } : await claim({ id: item.id, takeOver: false });
    setProblems(claimed.problems);
    if (claimed.problems.length === 0) {
      keepClaim(item.id);
      const isUndone = await holdDecision(client, {
        submissionId: item.id,
        name,
        kind,
        mutation,
        variables,
        drafts,
      });
      await goOn(() => isHere() && !isUndone());
    }
    setIsDeciding(false);
  };
  return {
    problems: problems.length > 0 ? problems : refusal,
    isDeciding,
    approve: (note, acknowledged) => {
      const grounds = acknowledged && {
        acknowledge: [...acknowledged.codes],
        reason: acknowledged.reason.trim(),
      };
      const variables = { id, revision, note: note.trim() || null, ...grounds };
      void decide('approve', item.version ? ApproveVersion : ApproveApp, variables, [
        `note:${item.id}`,
        `nevertheless:${item.id}`,
      ]);
    },
    reject: (reasons, guidance) => {
      const variables = { id, input: rejectionInput(revision, reasons, guidance) };
      void decide('reject', item.version ? RejectVersion : RejectApp, variables, [`rejection:${item.id}`]);
    },
  };
}

const rejectionInput = (revision: number, reasons: readonly ReasonDraft[], guidance: string) => ({
  revision,
  guidance,
  reasons: reasons.map(({ code, field, message }) => ({
    code,
    field: field || null,
    message: message.trim() || null,
  })),
});

/**
 * Returns a function that claims the next submission and opens it, or returns to the queue if there is none. It does
 * nothing once the reviewer has undone the decision or has gone elsewhere.
 */
function useGoOn() {
  const [, navigate] = useLocation();
  const search = useSearch();
  const open = useOpenReview();
  const readOwnClaims = useOwnClaims();
  const { claim } = useNewClaim();
  return async (isWanted: () => boolean) => {
    if (!isWanted()) return;
    const { next, problems } = await claim(isWanted);
    if (!isWanted()) return;
    if (next) {
      announce(`Next: ${next.version?.name ?? next.app.name}.`);
      return open(next.id);
    }
    const [own] = await readOwnClaims();
    if (!isWanted()) return;
    announce(problems[0]?.message ?? (own ? 'Next: one of your claims.' : NOTHING_LEFT));
    if (own) open(own);
    else navigate(`/${search ? `?${search}` : ''}`);
  };
}
