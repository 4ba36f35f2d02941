type Tone = 'good' | 'warn' | 'bad' | 'info' | 'plain';

const tones: Record<string, Tone> = {
  APPROVED: 'good',
  VERIFIED: 'good',
  ACTIVE: 'good',
  PENDING: 'info',
  SUBMITTED: 'info',
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
