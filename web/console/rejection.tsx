import { useEffect } from 'preact/hooks';
import { useChange } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { wordsOf } from '../components/badge.tsx';
import { useAttempt } from '../components/form.tsx';
import { Problems } from '../components/status.tsx';
import { When } from '../components/when.tsx';
import type { AppData, RejectionData } from './app-data.ts';
import { FieldLink } from './field-link.tsx';
import { labelOf } from './listing.ts';

const AddressReason = graphql(`
  mutation ConsoleAddressReason($id: ID!, $reason: Int!, $addressed: Boolean!) {
    addressReason(id: $id, reason: $reason, addressed: $addressed) {
      id
    }
  }
`);

/** A reason with the name of its field, unless its text begins with it. */
export function Reason({
  reason,
}: {
  reason: Pick<RejectionData['reasons'][number], 'code' | 'field' | 'message'>;
}) {
  const { code, field, message } = reason;
  const place = field ? labelOf(field) : wordsOf(code);
  return (
    <>
      {!message.startsWith(`${place} `) && <strong>{place}: </strong>}
      <span dir="auto">{message}</span>
    </>
  );
}

/** A tick that is being saved. */
export type Tick = { readonly reason: number; readonly addressed: boolean } | null;

interface RejectionProps {
  app: AppData;
  rejection: RejectionData;
  /** Shown until the service has it, so that a tick does not disappear for a moment. */
  ticked: Tick;
  onTick: (ticked: Tick) => void;
  /** True if it was submitted again since. */
  isPast?: boolean;
  /** True if the editor is on the page, so that the reasons can lead to its fields. */
  canEdit: boolean;
}

/** The reasons of a rejection, to be ticked off one by one, and the advice of the reviewer. */
export function Rejection({ app, rejection, ticked, onTick, isPast = false, canEdit }: RejectionProps) {
  const [address, isChanging] = useChange(AddressReason);
  const { attempt, problems } = useAttempt();
  const action = app.allowedActions.find((allowed) => allowed.action === 'addressReason');
  const tick = async (reason: number, addressed: boolean) => {
    onTick({ reason, addressed });
    if (!(await attempt(address({ id: app.id, reason, addressed })))) onTick(null);
  };
  // The data is read again after the tick.
  useEffect(() => onTick(null), [rejection]);
  const done = rejection.reasons.filter(({ addressed }) => addressed).length;
  return (
    <section class="card">
      <h2>
        {isPast ? 'Last rejection' : 'Rejected'}: {done} of {rejection.reasons.length} reasons addressed
      </h2>
      <p class="soft">
        Rejected <When at={rejection.rejectedAt} />.
        {!isPast && ' Tick what you have fixed. The next reviewer sees it.'}
      </p>
      <ul class="plain reasons">
        {rejection.reasons.map((each, reason) => (
          <li key={`${reason}`}>
            <label class="check">
              <input
                type="checkbox"
                checked={ticked?.reason === reason ? ticked.addressed : each.addressed}
                disabled={isChanging || ticked !== null || !action?.allowed}
                onChange={({ currentTarget }) => void tick(reason, currentTarget.checked)}
              />
              <span>
                <Reason reason={each} />
              </span>
            </label>
            {canEdit && each.field && (
              <small>
                Go to <FieldLink field={each.field} />
              </small>
            )}
          </li>
        ))}
      </ul>
      <h3>Advice from the reviewer</h3>
      <p class="written" dir="auto">
        {rejection.guidance}
      </p>
      {action && !action.allowed && <small>{action.message}</small>}
      <Problems problems={problems} />
    </section>
  );
}
