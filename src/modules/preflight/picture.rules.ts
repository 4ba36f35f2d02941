import type { ChangedPicture } from '../events/event.types.js';
import { type Finding, Severity } from '../listings/finding.types.js';
import type { Listing } from '../listings/listing.entity.js';
import { assetsOf, linkField } from './asset.rules.js';

/** A picture as it was reviewed. */
export interface ReviewedPicture {
  url: string;
  sha256: string;
  /** Null for reviews from before hosts were stored. */
  host: string | null;
  width: number | null;
  height: number | null;
}

/** A picture as it was fetched again; null: its server says that it has not changed since the last fetch. */
export type FetchedPicture =
  | (Omit<ReviewedPicture, 'url' | 'host'> & {
      host: string;
      etag: string | null;
      lastModified: string | null;
    })
  | null;

/** A picture of a public app at the last fetch, compared with what was reviewed. */
export interface PictureState {
  field: string;
  url: string;
  /** The hash with which it was compared. */
  reviewed: string;
  /** Validators of the server, if the picture was the reviewed one. */
  etag: string | null;
  lastModified: string | null;
  /** Number of fetches in a row that failed. */
  failures: number;
  problem: ChangedPicture['code'] | null;
  message: string;
  /** Time at which the problem was found. */
  since: string | null;
}

/** A server may be down for a day or two. */
const failuresUntilGone = 3;

const size = ({ width, height }: Pick<ReviewedPicture, 'width' | 'height'>) =>
  width && height ? `${width}×${height} pixels` : 'no size that can be read';
const short = (sha256: string) => sha256.slice(0, 12);

/** Returns the pictures of a listing, each with its field. */
export const picturesOf = (listing: Listing) => assetsOf(listing).filter(({ field }) => field !== linkField);

/** Returns the last state if it is about the same picture, compared with the same review. */
export const comparable = (
  state: PictureState | undefined,
  { url, sha256 }: ReviewedPicture,
): PictureState | null => (state?.url === url && state.reviewed === sha256 ? state : null);

/** Compares a picture with what was reviewed. */
export function comparePicture(
  field: string,
  reviewed: ReviewedPicture,
  fetched: FetchedPicture,
  at: Date,
  last: PictureState | null,
): PictureState {
  const other = firstState(field, reviewed);
  if (fetched && fetched.sha256 !== reviewed.sha256)
    return withProblem(other, last, at, {
      problem: 'picture_changed',
      message: `The picture is not the one that was reviewed: it had ${size(reviewed)} (SHA-256 ${short(reviewed.sha256)}…), and has ${size(fetched)} (${short(fetched.sha256)}…) now.`,
    });
  const same = {
    ...other,
    etag: fetched?.etag ?? last?.etag ?? null,
    lastModified: fetched?.lastModified ?? last?.lastModified ?? null,
  };
  if (fetched && reviewed.host !== null && fetched.host !== reviewed.host)
    return withProblem(same, last, at, {
      problem: 'picture_moved',
      message: `The picture came from ${reviewed.host} when it was reviewed, and comes from ${fetched.host} now.`,
    });
  // An unchanged picture does not tell where it comes from now, so a problem with its host stays.
  if (fetched === null && last?.problem === 'picture_moved') return { ...last, failures: 0 };
  return same;
}

/** Counts a fetch that failed. */
export function missedPicture(
  field: string,
  reviewed: ReviewedPicture,
  reason: string,
  at: Date,
  last: PictureState | null,
): PictureState {
  const state = last ?? firstState(field, reviewed);
  const failures = state.failures + 1;
  if (failures < failuresUntilGone) return { ...state, failures };
  return withProblem({ ...state, failures }, last, at, {
    problem: 'picture_gone',
    message: `The picture could not be fetched ${failures} times in a row. ${reason}`,
  });
}

const firstState = (field: string, { url, sha256 }: ReviewedPicture): PictureState => ({
  field,
  url,
  reviewed: sha256,
  etag: null,
  lastModified: null,
  failures: 0,
  problem: null,
  message: '',
  since: null,
});

const withProblem = (
  state: PictureState,
  last: PictureState | null,
  at: Date,
  found: Pick<PictureState, 'problem' | 'message'>,
): PictureState => ({
  ...state,
  ...found,
  since: last?.problem === found.problem && last.since ? last.since : at.toISOString(),
});

/** Returns the problems that the last check did not find. */
export const newProblems = (
  states: readonly PictureState[],
  last: readonly PictureState[],
): ChangedPicture[] =>
  states.flatMap(({ field, url, problem }) =>
    problem && !last.some((one) => one.field === field && one.url === url && one.problem === problem)
      ? [{ field, code: problem }]
      : [],
  );

/** Returns the findings about the pictures that a listing still has. */
export const pictureFindings = (listing: Listing, states: readonly PictureState[]): Finding[] => {
  const shown = picturesOf(listing);
  return states.flatMap(({ field, url, problem, message, since }) =>
    problem && shown.some((picture) => picture.field === field && picture.url === url)
      ? [
          {
            field,
            severity: Severity.WARNING,
            code: problem,
            message: `${message} Found on ${since!.slice(0, 10)}.`,
            fix: 'Restore the picture that was reviewed, or submit a new version with the new one.',
          },
        ]
      : [],
  );
};
