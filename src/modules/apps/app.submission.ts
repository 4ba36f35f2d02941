import { ServiceError } from '../../errors.js';
import { problemsOf } from '../../operations/problems.js';
import { AppChanges } from './app.input.js';
import { type Listing, listingFields, listingOf } from './app.listing.js';
import { type Finding, Severity } from './finding.types.js';

const minScreenshots = 2;
const maxSentences = 2;
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** What a machine can say of a listing before a person looks at it: errors refuse a submission, warnings go along. */
export function findingsOf(
  listing: Listing,
  /** The fields that have to follow today's rules. */
  held: readonly string[] = listingFields,
): Finding[] {
  return [...brokenRules(listing, held), ...unmetRequirements(listing), ...advice(listing)];
}

/** What an input would be refused for. A listing that was stored under other rules is held to today's. */
function brokenRules(listing: Listing, held: readonly string[]): Finding[] {
  const { error } = AppChanges.safeParse(listingOf(listing), { reportInput: true });
  if (!error) return [];
  const fix = 'Change it to what the rules of the field allow.';
  const { listed } = problemsOf(error, ({ path }) => held.includes(String(path[0])));
  return listed.map((problem) => ({ ...problem, severity: Severity.ERROR, fix }));
}

function unmetRequirements({ screenshots }: Listing): Finding[] {
  if (screenshots.length >= minScreenshots) return [];
  return [
    {
      field: 'screenshots',
      severity: Severity.ERROR,
      code: 'too_few',
      message: `screenshots must have at least ${minScreenshots} items (it has ${screenshots.length}).`,
      fix: 'Add screenshots of at least 1280×720 pixels: two to six.',
    },
  ];
}

function advice({ logoUrl, description }: Listing): Finding[] {
  const findings: Finding[] = [];
  if (!logoUrl) {
    findings.push({
      field: 'logoUrl',
      severity: Severity.WARNING,
      code: 'missing',
      message: 'There is no logo.',
      fix: 'Add a square PNG or JPG of at least 512×512 pixels.',
    });
  }
  const count = [...sentences.segment(description)].filter(({ segment }) =>
    /[\p{L}\p{N}]/u.test(segment),
  ).length;
  if (count > maxSentences) {
    findings.push({
      field: 'description',
      severity: Severity.WARNING,
      code: 'too_long',
      message: `The description has ${count} sentences; listings show one or two.`,
      fix: 'Keep the one or two that say what it does, and move the rest to longDescription.',
    });
  }
  return findings;
}

/**
 * Refuses a listing that is not ready for review, with everything that is missing; `further` is what else was found. An
 * edit answers for the fields that it changes: what was stored under other rules does not stand in its way.
 */
export function requireReadyForReview(
  listing: Listing,
  further: readonly Finding[] = [],
  changed?: readonly string[],
): void {
  const findings = [...findingsOf(listing, changed), ...further];
  const errors = findings.filter(({ severity }) => severity === Severity.ERROR);
  if (errors.length === 0) return;
  throw new ServiceError(
    'VALIDATION_FAILED',
    'The app does not yet have what a review needs: see details.',
    errors.map(({ field, code, message, fix }) => ({ field, code, message: `${message} ${fix}` })),
  );
}
