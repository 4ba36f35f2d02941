import { useEffect, useRef, useState } from 'preact/hooks';
import { type Outcome, useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import type { Problem } from '../client/problems.ts';
import { withoutField } from '../client/words.ts';
import { announce } from '../components/announcements.tsx';
import { requestOf } from '../components/field-form.tsx';
import { inputOf, type Listing, type ListingData, type ListingField } from './listing.ts';
import {
  checkListing,
  isAboutPicture,
  type ListingFinding,
  type PictureSize,
  type PictureSizes,
  preventsSaving,
  SCREENSHOTS_FIX,
} from './listing-checks.ts';
import { type ListingDraft, useListingDraft } from './listing-draft.ts';

const Preflight = graphql(`
  query ConsolePreflight($id: ID!) {
    preflight(id: $id) {
      findings {
        field
        severity
        message
        fix
        code
      }
    }
  }
`);

/** Saves the changed fields of a listing, unless it has a newer revision. */
export type SaveListing = (
  input: ReturnType<typeof inputOf>,
  revision: number,
) => Promise<Outcome<ListingData>>;

/** A listing in the editor. */
export interface ListingEditing {
  readonly draft: ListingDraft;
  readonly findings: readonly ListingFinding[];
  /** True while the service loads the pictures and links of the saved listing. */
  readonly isChecking: boolean;
  readonly sizes: PictureSizes;
  readonly onMeasured: (url: string, size: PictureSize | null) => void;
  readonly isSaving: boolean;
  /** Problems of the last attempt to save, without those that stand at their fields. */
  readonly problems: readonly Problem[];
  /** The last attempt to save that failed. The object differs with every attempt. */
  readonly failure: object;
  readonly save: () => Promise<void>;
}

/** Edits a listing: keeps the text, checks it, and saves it on request. */
export function useListingEditing(data: ListingData, saveListing: SaveListing): ListingEditing {
  const draft = useListingDraft(data);
  // A revision that was just saved is newer than the one that the page has read.
  const checks = useChecks(data.id, Math.max(draft.revision, data.revision));
  const [sizes, setSizes] = useState<PictureSizes>({});
  const [isSaving, setIsSaving] = useState(false);
  const [failure, setFailure] = useState<Failure>({ problems: [], listing: draft.listing });
  const all = checkListing(draft.listing, sizes);
  const own = all.filter(({ field }) => draft.changed.includes(rootOf(field)));
  const refused = refusals(failure, draft);
  const save = async () => {
    setIsSaving(true);
    const attempt = await saveValidFields(draft, own.filter(preventsSaving), saveListing);
    setIsSaving(false);
    setFailure({ problems: attempt.problems, listing: draft.listing });
    if (!attempt.saved) return;
    draft.saved(attempt.saved, attempt.leftOut);
    if (attempt.leftOut.length > 0) announce('Everything else was saved.');
  };
  return {
    draft,
    findings: [
      ...checks.findings.filter(({ field }) => !draft.changed.includes(rootOf(field))),
      // The size that the browser measured counts also if the service has not fetched the picture.
      ...all.filter(
        (each) =>
          isAboutPicture(each) &&
          !own.includes(each) &&
          !checks.findings.some(({ field }) => field === each.field),
      ),
      ...own,
      // Most mistakes are known before they are sent, in words that fit the page better.
      ...refused.filter((each) => !own.some((known) => isError(known) && known.field === each.field)),
    ],
    isChecking: checks.isChecking,
    sizes,
    onMeasured: (url, size) => setSizes((known) => ({ ...known, [url]: size })),
    isSaving,
    problems: failure.problems.filter(({ details }) => details.length === 0),
    failure,
    save,
  };
}

/** Reads what the service finds in the saved listing, again after every change of it. */
function useChecks(id: string, revision: number) {
  const { data, isLoading, reload } = useData(Preflight, { id });
  const checked = useRef(revision);
  useEffect(() => {
    if (checked.current === revision) return;
    checked.current = revision;
    reload();
  }, [revision, reload]);
  const findings = (data?.preflight?.findings ?? []).map(inWords);
  // After a save the findings are still those of the revision before.
  return { findings, isChecking: isLoading || checked.current !== revision };
}

/** Returns a finding of the service in words of this page. */
function inWords(finding: ListingFinding): ListingFinding {
  const message = withoutField(finding.field, finding.message);
  const request = requestOf(finding.field, message);
  const fix = finding.field === 'screenshots' ? SCREENSHOTS_FIX : '';
  return request ? { ...finding, message: request, fix } : { ...finding, message };
}

interface SaveAttempt {
  readonly saved: ListingData | undefined;
  /** Fields with a mistake, which were not saved. */
  readonly leftOut: readonly ListingField[];
  readonly problems: readonly Problem[];
}

/** Saves the changed fields without those that have a mistake, whether the page knows it or the service says so. */
async function saveValidFields(
  draft: ListingDraft,
  mistakes: readonly ListingFinding[],
  saveListing: SaveListing,
): Promise<SaveAttempt> {
  const leftOut = new Set(mistakes.map(({ field }) => rootOf(field)));
  const problems: Problem[] = [];
  for (;;) {
    const valid = draft.changed.filter((field) => !leftOut.has(field));
    if (valid.length === 0) return { saved: undefined, leftOut: [...leftOut], problems };
    const input = inputOf(draft.listing, valid);
    const outcome = await saveListing(input, draft.revision);
    problems.push(...outcome.problems);
    const refused = outcome.problems.flatMap(({ details }) => details.map(({ field }) => rootOf(field)));
    const isSmaller = refused.some((field) => valid.includes(field));
    if (outcome.data || !isSmaller) return { saved: outcome.data, leftOut: [...leftOut], problems };
    for (const field of refused) leftOut.add(field);
  }
}

interface Failure {
  readonly problems: readonly Problem[];
  /** The listing that could not be saved. */
  readonly listing: Listing;
}

const isError = ({ severity }: ListingFinding) => severity === 'ERROR';
const rootOf = (field: string) => field.split('.')[0] as ListingField;

/** Returns the reasons why the service did not save, at fields that were not changed since. */
const refusals = ({ problems, listing }: Failure, draft: ListingDraft): ListingFinding[] =>
  problems
    .flatMap(({ details }) => details)
    .filter(({ field }) => listing[rootOf(field)] === draft.listing[rootOf(field)])
    .map(({ field, message }) => ({
      field,
      severity: 'ERROR',
      message: requestOf(field, message) ?? message,
      fix: '',
    }));
