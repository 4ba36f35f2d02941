/** A seeded pseudo-random generator: the same numbers in every run. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const categories =
  'PRODUCTIVITY UTILITIES BUSINESS DEVELOPER_TOOLS COMMUNICATION ANALYTICS AI_ML FINANCE EDUCATION OTHER'.split(
    ' ',
  );

/** Second words of app names, so that many apps share each of them. */
export const nouns = (
  'Invoice Calendar Tracker Notes Board Planner Budget Payroll Chat Inbox Survey Forms Report Chart Dashboard ' +
  'Backup Vault Scanner Converter Timer Checklist Roadmap Sprint Ticket Desk Contact Pipeline Quote Contract ' +
  'Signature Translate Summary Writer Reader Course Quiz Lesson Library Ledger Receipt Expense Forecast Metric ' +
  'Monitor Deploy Release Commit Review Diagram Wiki Search Bridge Sync Export Import Webhook Gateway Widget ' +
  'Assistant Agent'
).split(' ');
export const verbs =
  'Plan Share Track Collect Compare Automate Review Publish Measure Archive Organise Connect'.split(' ');
export const audiences =
  'small teams,remote teams,agencies,schools,accountants,designers,support desks,product owners,freelancers,field workers'.split(
    ',',
  );

const brandSyllables =
  'ba be bi bo ca ce co da de di do fa fe fi ga ge go la le li lo ma me mi mo na ne ni no ra re ri ro sa se si so ta te ti to'.split(
    ' ',
  ); // prettier-ignore
/** Syllables that occur in no other word, so that a search for a topic finds exactly its apps. */
const topicSyllables = 'zux quz wyx xaq zyw qux wuz yxo zaw quy xyz wox'.split(' ');

/** Returns the first words of app names. */
export function brands(): string[] {
  const names = brandSyllables.flatMap((first) =>
    brandSyllables.flatMap((second) => ['n', 'r', 'l', 'va', 'ro'].map((last) => first + second + last)),
  );
  return names.map((name) => name[0]!.toUpperCase() + name.slice(1));
}

/** A word that occurs in the descriptions of a fixed number of apps, whatever the size of the catalog. */
export interface Topic {
  readonly word: string;
  readonly apps: number;
}

/** Returns 600 topics of 10 to 1,000 apps each, evenly distributed on a logarithmic scale. */
export function topics(): Topic[] {
  const words = topicSyllables.flatMap((a) =>
    topicSyllables.flatMap((b) => topicSyllables.map((c) => `${a}${b}${c}a`)),
  );
  const next = random(7);
  return Array.from({ length: 600 }, (_, index) => {
    const at = Math.floor(next() * words.length);
    return { word: words.splice(at, 1)[0]!, apps: Math.round(10 ** (1 + (index % 30) / 14.5)) };
  });
}

/** Returns 130 topics that one percent of the apps have. Their words resemble no other, so that no typo finds them. */
export function commonTopics(apps: number): Topic[] {
  const words = topicSyllables.flatMap((a) =>
    topicSyllables.filter((b) => b !== a).map((b) => a + b + a + b),
  );
  return words.slice(0, 130).map((word) => ({ word, apps: Math.ceil(apps / 100) }));
}

/** Returns paragraphs of about 450 characters; a few of their words are frequent and most are rare. */
export function paragraphs(): string[] {
  const next = random(11);
  const syllables = [...brandSyllables, 'an', 'er', 'in', 'on', 'ent', 'ist', 'al'];
  const words = Array.from({ length: 3000 }, () =>
    Array.from(
      { length: 2 + Math.floor(next() * 2) },
      () => syllables[Math.floor(next() * syllables.length)],
    ).join(''),
  );
  const sentence = () => {
    const text = Array.from(
      { length: 8 + Math.floor(next() * 8) },
      () => words[Math.floor(next() ** 3 * words.length)],
    ).join(' ');
    return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
  };
  return Array.from({ length: 400 }, () => Array.from({ length: 6 }, sentence).join(' '));
}
