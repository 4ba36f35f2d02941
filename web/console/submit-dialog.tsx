import { useState } from 'preact/hooks';
import { Confirm } from '../components/dialog.tsx';
import { labelOf } from './listing.ts';
import { isAboutPicture, type ListingFinding } from './listing-checks.ts';
import { openReasonsText } from './readiness.ts';

interface SubmitDialogProps {
  warnings: readonly ListingFinding[];
  /** Number of reasons of the last rejection that the developer has not ticked off. */
  openReasons: number;
  onClose: () => void;
  onSubmit: () => void;
}

const keyOf = ({ field, message }: ListingFinding) => `${field} ${message}`;

/** Lists the warnings before a submission. A picture that cannot be loaded or does not fit has to be ticked. */
export function SubmitDialog({ warnings, openReasons, onClose, onSubmit }: SubmitDialogProps) {
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const pictures = warnings.filter(isAboutPicture);
  const others = warnings.filter((warning) => !isAboutPicture(warning));
  return (
    <Confirm
      title="Submit for review?"
      action="Submit anyway"
      isDisabled={pictures.some((picture) => !ticked.includes(keyOf(picture)))}
      onClose={onClose}
      onConfirm={onSubmit}
    >
      {warnings.length > 0 && (
        <p>Reviewers see these warnings too, and may reject the app because of them.</p>
      )}
      {pictures.length > 0 && (
        <fieldset class="field">
          <legend>Submit these pictures as they are? Tick each to continue.</legend>
          <div class="checks">
            {pictures.map((picture) => (
              <label class="check" key={keyOf(picture)}>
                <input
                  type="checkbox"
                  checked={ticked.includes(keyOf(picture))}
                  onChange={({ currentTarget: { checked } }) =>
                    setTicked(
                      checked
                        ? [...ticked, keyOf(picture)]
                        : ticked.filter((each) => each !== keyOf(picture)),
                    )
                  }
                />
                <span>
                  <strong>{labelOf(picture.field)}:</strong> {picture.message}
                </span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
      {others.length > 0 && (
        <ul class="missing">
          {others.map((warning) => (
            <li key={keyOf(warning)}>
              <strong>{labelOf(warning.field)}:</strong> {warning.message}
            </li>
          ))}
        </ul>
      )}
      {openReasons > 0 && (
        <p class="note warn">
          {openReasonsText(openReasons)} You have not ticked off everything that the last rejection asks for,
          and the next reviewer sees that.
        </p>
      )}
    </Confirm>
  );
}
