type Tone = 'good' | 'warn' | 'bad' | 'info' | 'plain';

const tones: Record<string, Tone> = {
  APPROVED: 'good',
  VERIFIED: 'good',
  ACTIVE: 'good',
  IN_REVIEW: 'info',
  SUBMITTED: 'info',
  TAKEN_DOWN: 'bad',
  STAFF_PICK: 'good',
  UNVERIFIED: 'warn',
  REJECTED: 'bad',
  SUSPENDED: 'bad',
  REVOKED: 'bad',
  EXPIRED: 'bad',
};

/** `DEVELOPER_TOOLS` as "Developer tools"; short all-capital names such as "AI" stay. */
export const wordsOf = (name: string): string =>
  name
    .split('_')
    .map((word, index) =>
      /^(AI|ML|URL|API)$/.test(word) ? word : index === 0 ? capitalized(word) : word.toLowerCase(),
    )
    .join(' ')
    .replace('AI ML', 'AI and ML');

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();

/** A status or another value of an enumeration, in words and in a colour. */
export const Badge = ({ value, tone }: { value: string; tone?: Tone }) => (
  <span class={`badge ${tone ?? tones[value] ?? ''}`}>{wordsOf(value)}</span>
);

/** The states of apps and versions that people call otherwise than the service. */
const appStatuses: Record<string, string> = { PENDING: 'IN_REVIEW', SUSPENDED: 'TAKEN_DOWN' };

const shownAs = (status: string) => appStatuses[status] ?? status;

/** The state of an app or version in words. */
export const statusWords = (status: string): string => wordsOf(shownAs(status));

/** The state of an app or version. */
export const StatusBadge = ({ status }: { status: string }) => <Badge value={shownAs(status)} />;
