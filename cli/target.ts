import type { Api } from './api.js';
import { appBySlug } from './documents.js';
import { conflict, exitCodeOf, Failure, type ServerChange, usage } from './failure.js';
import { type ListingFields, textFiles } from './listing-file.js';

/** A finding of the automatic checks. */
export interface Finding {
  field: string;
  severity: 'ERROR' | 'WARNING';
  code: string;
  message: string;
  fix: string;
}

/** Position in the review queue. */
export interface QueuePlace {
  stage: string;
  position: number;
  ahead: number;
  submittedAt: string;
  dueAt: string;
  etaP50: string;
  etaP90: string;
}

export interface Rejection {
  guidance: string;
  rejectedAt: string;
  reasons: { code: string; field: string | null; message: string }[];
}

/** What is submitted: an app that was never public, or a version of one that is. */
interface Submittable extends ListingFields {
  id: string;
  name: string;
  status: string;
  revision: number;
  submittedAt: string | null;
  rejection: Rejection | null;
  findings: Finding[];
  review: QueuePlace | null;
}

export interface RemoteVersion extends Submittable {
  changes: ServerChange[];
  conflicts: { field: string }[];
}

export interface RemoteApp extends Submittable {
  slug: string;
  environment: string;
  openVersion: RemoteVersion | null;
}

/** Reads the app of a listing. */
export async function readApp(api: Api, slug: string): Promise<RemoteApp> {
  try {
    const { myAppBySlug } = await api.query<{ myAppBySlug: RemoteApp }>(appBySlug, { slug });
    requireTexts(workOf(myAppBySlug));
    return myAppBySlug;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'NOT_FOUND') throw error;
    throw new Failure({
      exitCode: error.exitCode,
      code: 'NOT_FOUND',
      message: `Your account has no app with the slug "${slug}", or the key is for another app. Check the slug: --app, or "app" in the listing file.`,
    });
  }
}

/** Rejects a server that names a file of this machine in the place of a text: the next push would publish it. */
function requireTexts(work: ListingFields): void {
  const field = Object.keys(textFiles).find((name) => typeof (work[name] ?? '') !== 'string');
  if (field === undefined) return;
  const code = 'NOT_A_MARKETPLACE';
  const message = `The server sent a ${field} that is no text. Check MARKETPLACE_URL.`;
  throw new Failure({ exitCode: exitCodeOf(code), code, message });
}

/** Returns what of an app is worked on: its open version, or the app itself. */
export const workOf = (app: RemoteApp): RemoteApp | RemoteVersion => app.openVersion ?? app;

/** Rejects an app that was taken down. */
export function requireNotSuspended(app: RemoteApp): void {
  if (app.status !== 'SUSPENDED') return;
  throw conflict(
    'APP_SUSPENDED',
    `${app.slug} was taken down by an administrator and cannot be changed. Contact support.`,
  );
}

/** Returns the slug that a listing names. */
export function requireSlug(slug: string | undefined, command: string): string {
  if (slug !== undefined) return slug;
  throw usage(
    `The listing file names no app. Run "marketplace push" first, or "marketplace init --app <slug>" for an app that exists; then "marketplace ${command}".`,
  );
}
