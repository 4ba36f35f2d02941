import { useEffect } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useKeys } from '../components/keys.ts';
import { useOpenReview } from './claim-next.tsx';
import {
  dismissRefusal,
  type HeldDecision,
  type RefusedDecision,
  sendDecisionAtOnce,
  undoDecision,
  useHeldDecision,
  useRefusedDecisions,
} from './held-decision.ts';
import { useReleaseUntouched } from './untouched-claims.ts';
import './decision-bar.css';

/** Names the decision that can still be undone, and decisions that the service did not accept. */
export function DecisionBar() {
  const held = useHeldDecision();
  const [path] = useLocation();
  // The page of a submission shows its refusal itself.
  const refused = useRefusedDecisions().filter(({ decision }) => !path.endsWith(decision.submissionId));
  const open = useOpenReview();
  const release = useReleaseUntouched();
  const undo = () => {
    const id = undoDecision();
    if (!id) return;
    void release();
    open(id);
  };
  useKeys({ u: undo });
  useEffect(() => {
    addEventListener('pagehide', sendDecisionAtOnce);
    return () => {
      removeEventListener('pagehide', sendDecisionAtOnce);
      sendDecisionAtOnce();
    };
  }, []);
  return (
    <div class="decision-bars">
      <div role="alert">
        {refused.map((refusal) => (
          <Refusal key={refusal.decision.submissionId} refusal={refusal} onOpen={open} />
        ))}
      </div>
      <div role="status">{held && <Undo key={held.submissionId} decision={held} onUndo={undo} />}</div>
    </div>
  );
}

const Undo = ({ decision: { kind, name }, onUndo }: { decision: HeldDecision; onUndo: () => void }) => (
  <div class="decision-bar">
    <p>
      {kind === 'approve' ? 'Approving' : 'Rejecting'} <strong dir="auto">{name}</strong>
    </p>
    <button type="button" onClick={onUndo}>
      Undo <kbd>u</kbd>
    </button>
    <span class="countdown" aria-hidden="true" />
  </div>
);

interface RefusalProps {
  refusal: RefusedDecision;
  onOpen: (id: string) => void;
}

const Refusal = ({ refusal: { decision, problems }, onOpen }: RefusalProps) => (
  <div class="decision-bar refused">
    <p>
      <strong dir="auto">{decision.name}</strong> was not{' '}
      {decision.kind === 'approve' ? 'approved' : 'rejected'}. {problems[0]?.message}
    </p>
    <button type="button" onClick={() => onOpen(decision.submissionId)}>
      Open it again
    </button>
    <button type="button" onClick={() => dismissRefusal(decision.submissionId)}>
      Dismiss
    </button>
  </div>
);
