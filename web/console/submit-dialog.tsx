import { useState } from 'preact/hooks';
import { Confirm } from '../components/dialog.tsx';
import { labelOf } from './listing.ts';
import { isAboutPicture, type ListingFinding } from './listing-checks.ts';
import { openReasonsText } from './readiness.ts';

interface SubmitDialogProps {
  /** True for a new version of an app that is public. */
  isVersion: boolean;
  warnings: readonly ListingFinding[];
  /** Number of reasons of the last rejection that the developer has not ticked off. */
  openReasons: number;
  onClose: () => void;
  onSubmit: () => void;
}

const keyOf = ({ field, message }: ListingFinding) => `${field} ${message}`;

/** Says what a submission leads to, and lists the warnings before it. A picture that cannot be loaded or does not fit has to be ticked. */
export function SubmitDialog({ isVersion, warnings, openReasons, onClose, onSubmit }: SubmitDialogProps) {
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const pictures = warnings.filter(isAboutPicture);
  const others = warnings.filter((warning) => !isAboutPicture(warning));
  return (
    <Confirm
      title="Submit for review?"
      action={warnings.length > 0 || openReasons > 0 ? 'Submit anyway' : 'Submit'}
      isDisabled={pictures.some((picture) => !ticked.includes(keyOf(picture)))}
      onClose={onClose}
      onConfirm={onSubmit}
    >
      <p>
        A reviewer usually decides within 24 to 48 hours, and you get an e-mail.{' '}
        {isVersion
          ? 'Once the version is approved, it replaces the live listing; until then nothing changes for users.'
          : 'Once the app is approved, everybody can find it in the marketplace.'}{' '}
        Until then you can still edit or withdraw it.
      </p>
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
