import { useState } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';
import { useChange } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import type { Problem } from '../client/problems.ts';
import { announce } from '../components/announcements.tsx';
import { NOTHING_LEFT, useOpenReview, useOwnClaims } from './claim-next.tsx';
import { claimFilterOf } from './queue-filter.ts';
import type { ReasonDraft } from './rejection-requests.ts';
import { type FindingData, type ReviewItem, subjectOf } from './review-data.ts';
import { keepClaim, noteAutomaticClaim } from './untouched-claims.ts';

const Next = graphql(`
  fragment DeskNext on ReviewQueueItem { id app { id name } version { id name } }
`);
const ApproveApp = graphql(
  `
  mutation DeskApproveApp(
    $id: ID!, $revision: Int!, $note: String, $acknowledge: [FindingCode!], $reason: String, $filter: ReviewQueueFilter
  ) {
    approveApp(id: $id, revision: $revision, note: $note, acknowledge: $acknowledge, reason: $reason) { id status }
    claimNext(filter: $filter) { ...DeskNext }
  }
`,
  [Next],
);
const ApproveVersion = graphql(
  `
  mutation DeskApproveVersion(
    $id: ID!, $revision: Int!, $note: String, $acknowledge: [FindingCode!], $reason: String, $filter: ReviewQueueFilter
  ) {
    approveAppVersion(id: $id, revision: $revision, note: $note, acknowledge: $acknowledge, reason: $reason) { id status }
    claimNext(filter: $filter) { ...DeskNext }
  }
`,
  [Next],
);
const RejectApp = graphql(
  `
  mutation DeskRejectApp($id: ID!, $input: RejectAppInput!, $filter: ReviewQueueFilter) {
    rejectApp(id: $id, input: $input) { id status }
    claimNext(filter: $filter) { ...DeskNext }
  }
`,
  [Next],
);
const RejectVersion = graphql(
  `
  mutation DeskRejectVersion($id: ID!, $input: RejectAppVersionInput!, $filter: ReviewQueueFilter) {
    rejectAppVersion(id: $id, input: $input) { id status }
    claimNext(filter: $filter) { ...DeskNext }
  }
`,
  [Next],
);

/** The findings in spite of which something is approved, and why. */
interface Acknowledged {
  readonly codes: readonly FindingData['code'][];
  readonly reason: string;
}

/** The result of a decision: what went wrong, if anything did. */
export interface Decision {
  readonly problems: readonly Problem[];
  readonly isDeciding: boolean;
  readonly approve: (note: string, acknowledged?: Acknowledged) => Promise<boolean>;
  readonly reject: (reasons: readonly ReasonDraft[], guidance: string) => Promise<boolean>;
}

/** Decides on a submission, claims the next one in the same request, and opens it. */
export function useDecision(item: ReviewItem, revision: number): Decision {
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [approveApp, isApprovingApp] = useChange(ApproveApp);
  const [approveVersion, isApprovingVersion] = useChange(ApproveVersion);
  const [rejectApp, isRejectingApp] = useChange(RejectApp);
  const [rejectVersion, isRejectingVersion] = useChange(RejectVersion);
  const goOn = useGoOn();
  const filter = claimFilterOf(new URLSearchParams(useSearch()));
  const { id, name } = subjectOf(item);
  const after = ({ data, problems: found }: Awaited<ReturnType<typeof approveApp>>, done: string) => {
    setProblems(found);
    if (!data || found.length > 0) return false;
    keepClaim(item.id);
    void goOn(`${name} is ${done}.`, data.claimNext);
    return true;
  };
  return {
    problems,
    isDeciding: isApprovingApp || isApprovingVersion || isRejectingApp || isRejectingVersion,
    approve: async (note, acknowledged) => {
      const send = item.version ? approveVersion : approveApp;
      const grounds = acknowledged && {
        acknowledge: [...acknowledged.codes],
        reason: acknowledged.reason.trim(),
      };
      const input = { id, revision, note: note.trim() || null, filter, ...grounds };
      return after((await send(input)) as never, 'approved');
    },
    reject: async (reasons, guidance) => {
      const send = item.version ? rejectVersion : rejectApp;
      return after(
        (await send({ id, filter, input: rejectionInput(revision, reasons, guidance) })) as never,
        'rejected',
      );
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

type NextItem = { id: string; app: { name: string }; version: { name: string } | null } | null;

function useGoOn() {
  const [, navigate] = useLocation();
  const search = useSearch();
  const open = useOpenReview();
  const readOwnClaims = useOwnClaims();
  return async (done: string, next: NextItem) => {
    if (next) {
      noteAutomaticClaim(next.id);
      announce(`${done} Next: ${next.version?.name ?? next.app.name}.`);
      return open(next.id);
    }
    const [own] = await readOwnClaims();
    announce(own ? `${done} Next: one that you have claimed before.` : `${done} ${NOTHING_LEFT}`);
    if (own) open(own);
    else navigate(`/${search ? `?${search}` : ''}`);
  };
}
