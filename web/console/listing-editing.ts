import { useEffect, useRef, useState } from 'preact/hooks';
import { type Outcome, useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { type Problem, withoutField } from '../client/problems.ts';
import { announce } from '../components/announcements.tsx';
import { inputOf, type Listing, type ListingData, type ListingField } from './listing.ts';
import { checkListing, type ListingFinding, type PictureSize, type PictureSizes } from './listing-checks.ts';
import { type ListingDraft, useListingDraft } from './listing-draft.ts';

const Preflight = graphql(`
  query ConsolePreflight($id: ID!) {
    preflight(id: $id) {
      findings {
        field
        severity
        message
        fix
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
  const checks = useChecks(data);
  const [sizes, setSizes] = useState<PictureSizes>({});
  const [isSaving, setIsSaving] = useState(false);
  const [failure, setFailure] = useState<Failure>({ problems: [], listing: draft.listing });
  const save = async () => {
    setIsSaving(true);
    const { data: saved, problems } = await saveListing(inputOf(draft.listing, draft.base), draft.revision);
    setIsSaving(false);
    setFailure({ problems, listing: draft.listing });
    if (!saved) return;
    draft.saved(saved);
    announce('The listing is saved.');
  };
  const own = checkListing(draft.listing, sizes).filter(({ field }) => draft.changed.includes(rootOf(field)));
  const refused = refusals(failure, draft);
  return {
    draft,
    findings: [
      ...checks.findings.filter(({ field }) => !draft.changed.includes(rootOf(field))),
      ...own,
      // Most mistakes are known before they are sent, in words that fit the page better.
      ...refused.filter((each) => !own.some((known) => isError(known) && known.field === each.field)),
    ],
    isChecking: checks.isChecking,
    sizes,
    onMeasured: (url, size) => setSizes((known) => ({ ...known, [url]: size })),
    isSaving,
    problems:
      refused.length > 0 ? [NOT_SAVED] : failure.problems.filter(({ details }) => details.length === 0),
    failure,
    save,
  };
}

/** Reads what the service finds in the saved listing, again after every change of it. */
function useChecks({ id, revision }: ListingData) {
  const { data, isLoading, reload } = useData(Preflight, { id });
  const checked = useRef(revision);
  useEffect(() => {
    if (checked.current === revision) return;
    checked.current = revision;
    reload();
  }, [revision, reload]);
  const findings = (data?.preflight?.findings ?? []).map((finding) => ({
    ...finding,
    message: withoutField(finding.field, finding.message),
  }));
  return { findings, isChecking: isLoading };
}

const NOT_SAVED: Problem = {
  code: 'NOT_SAVED',
  message: 'Nothing is saved: a listing is saved as a whole. Change what is marked at the fields first.',
  details: [],
  extensions: {},
};

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
    .map(({ field, message }) => ({ field, severity: 'ERROR', message, fix: '' }));
