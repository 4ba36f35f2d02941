import { ServiceError } from '../../errors.js';
import type { App } from './app.entity.js';
import { type Finding, Severity } from './finding.types.js';

const minScreenshots = 2;

/** What a machine can say of a listing before a person looks at it: errors refuse a submission, warnings go along. */
export function findingsOf(app: Pick<App, 'screenshots' | 'logoUrl'>): Finding[] {
  const findings: Finding[] = [];
  if (app.screenshots.length < minScreenshots) {
    findings.push({
      field: 'screenshots',
      severity: Severity.ERROR,
      code: 'too_few',
      message: `screenshots must have at least ${minScreenshots} items (it has ${app.screenshots.length}).`,
      fix: 'Add screenshots of at least 1280×720 pixels: two to six.',
    });
  }
  if (!app.logoUrl) {
    findings.push({
      field: 'logoUrl',
      severity: Severity.WARNING,
      code: 'missing',
      message: 'There is no logo.',
      fix: 'Add a square PNG or JPG of at least 512×512 pixels.',
    });
  }
  return findings;
}

/** Refuses a listing that is not ready for review, with everything that is missing. */
export function requireReadyForReview(app: Pick<App, 'screenshots' | 'logoUrl'>): void {
  const errors = findingsOf(app).filter(({ severity }) => severity === Severity.ERROR);
  if (errors.length === 0) return;
  throw new ServiceError(
    'VALIDATION_FAILED',
    'The app does not yet have what a review needs: see details.',
    errors.map(({ field, code, message, fix }) => ({ field, code, message: `${message} ${fix}` })),
  );
}
