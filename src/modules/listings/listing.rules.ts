import { ServiceError } from '../../errors.js';
import { problemsOf } from '../../operations/problems.js';
import { type Finding, findingCode, Severity } from './finding.types.js';
import type { Listing } from './listing.entity.js';
import { AppChanges } from './listing.input.js';
import { listingFields, listingOf } from './listing-change.rules.js';

const minScreenshots = 2;
const maxSentences = 2;
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Checks a listing before a person reviews it. Errors block a submission; warnings are shown to the reviewer. Only the
 * `checkedFields` have to meet the current validation rules.
 */
export function findingsOf(listing: Listing, checkedFields: readonly string[] = listingFields): Finding[] {
  return [...brokenRules(listing, checkedFields), ...unmetRequirements(listing), ...advice(listing)];
}

/** Validates the stored values again, because they may have been stored under older rules. */
function brokenRules(listing: Listing, checkedFields: readonly string[]): Finding[] {
  const { error } = AppChanges.safeParse(listingOf(listing), { reportInput: true });
  if (!error) return [];
  const fix = 'Change the field so that it meets its rules.';
  const { listed } = problemsOf(error, ({ path }) => checkedFields.includes(String(path[0])));
  return listed.map(({ field, code, message }) => ({
    field,
    code: findingCode(code),
    message,
    severity: Severity.ERROR,
    fix,
  }));
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
      fix: 'Keep the one or two sentences that say what the app does, and move the rest to longDescription.',
    });
  }
  return findings;
}

/**
 * Rejects a listing that is not ready for review, with all errors at once; `further` are findings of other checks. An
 * edit passes the fields that it changed, so that values stored under older rules do not block it.
 */
export function requireReadyForReview(
  listing: Listing,
  further: readonly Finding[] = [],
  changedFields?: readonly string[],
): void {
  const findings = [...findingsOf(listing, changedFields), ...further];
  const errors = findings.filter(({ severity }) => severity === Severity.ERROR);
  if (errors.length === 0) return;
  throw new ServiceError(
    'VALIDATION_FAILED',
    'The app is not ready for review: see details.',
    errors.map(({ field, code, message, fix }) => ({ field, code, message: `${message} ${fix}` })),
  );
}
