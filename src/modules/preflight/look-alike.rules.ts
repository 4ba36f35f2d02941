import { type Finding, Severity } from '../listings/finding.types.js';
import type { AppWithName, AppWithPicture } from './conflict.queries.js';

/** Returns the finding about the name of another developer's public app (D113, D421). */
export const nameOfOther = ({ id, name, code }: AppWithName): Finding => {
  const isSame = code === 'duplicate';
  return {
    field: 'name',
    severity: Severity.WARNING,
    code,
    message: `Another developer has a public app whose name ${isSame ? 'looks' : 'is almost'} the same: "${name}".`,
    fix: 'Choose a name that users cannot confuse with it.',
    ...(isSame && { reasonNeeded: true }),
    aboutAppId: id,
  };
};

/** Returns the finding about a picture that another developer's public app shows (D422). */
export const pictureOfOther = (field: string, { id, name }: AppWithPicture): Finding => ({
  field,
  severity: Severity.WARNING,
  code: 'same_picture',
  message: `The public app "${name}" of another developer shows the same picture.`,
  fix: 'Use a picture of your own, so that users can tell the two apps apart.',
  aboutAppId: id,
});

/** The finding about a name that is reserved for the marketplace (D325). */
export const reservedName: Finding = {
  field: 'name',
  severity: Severity.WARNING,
  code: 'reserved',
  message: 'The name looks as if the app came from the marketplace itself.',
  fix: 'Choose a name that says what the app does.',
  reasonNeeded: true,
};
