import { wordsOf } from '../components/badge.tsx';
import type { Change } from '../components/changes.tsx';
import { isPictureField, urlsOf } from '../components/picture-changes.tsx';
import { When } from '../components/when.tsx';
import { fieldName } from './field-names.ts';
import type { RejectionData } from './review-data.ts';

interface LastRejectionProps {
  rejection: RejectionData;
  /** The changes since the rejection; null if they are not known. */
  changes: readonly Change[] | null;
}

/** Shows the reasons of the last rejection, whether the developer marked them as fixed, and which fields have not changed. */
export const LastRejection = ({
  rejection: { rejectedAt, reasons, guidance },
  changes,
}: LastRejectionProps) => (
  <section class="card" aria-labelledby="last-rejection">
    <h2 id="last-rejection">
      Previously rejected, <When at={rejectedAt} />
    </h2>
    <ul class="plain stack tight">
      {reasons.map(({ code, field, message, addressed }) => (
        <li key={code + field + message}>
          <strong>
            {wordsOf(code)}
            {field && `, ${fieldName(field)}`}
          </strong>
          <span dir="auto" class="below">
            {message}
          </span>
          <p class="row tight">
            <span class={`badge ${addressed ? '' : 'warn'}`}>
              {addressed ? 'The developer says: fixed' : 'Not marked as fixed'}
            </span>
            {field && changes && !hasChanged(field, changes) && (
              <span class="badge warn">{unchangedText(field)}</span>
            )}
          </p>
        </li>
      ))}
    </ul>
    <h3 class="advice">Advice</h3>
    <p class="tight" dir="auto">
      {guidance}
    </p>
  </section>
);

/** A reason about one screenshot is about the picture that was there, wherever it is now. */
function hasChanged(field: string, changes: readonly Change[]): boolean {
  const [name, position] = field.split('.');
  const change = changes.find((one) => one.field === name);
  if (!change || position === undefined) return change !== undefined;
  const before = urlsOf('screenshots', change.before)[Number(position)];
  return before === undefined || !urlsOf('screenshots', change.after).includes(before);
}

/** The file behind the address of a picture may be another one than at the rejection. */
const unchangedText = (field: string): string =>
  `${fieldName(field)}: ${isPictureField(field.split('.')[0]!) ? 'the address has ' : ''}not changed since the rejection`;
