import { diffWordsWithSpace } from 'diff';
import { useMemo } from 'preact/hooks';

export interface Change {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Comparing longer texts word by word takes too long; they are shown one after the other. */
const MAX_COMPARED_LENGTH = 40_000;
const TIMEOUT_MS = 200;

/** The fields of a listing that were changed, each with its text before and after, word by word. */
export const Changes = ({ changes }: { changes: readonly Change[] }) => (
  <dl class="changes">
    {changes.map((change) => (
      <div key={change.field}>
        <dt>{change.field}</dt>
        <dd dir="auto">
          <TextChange before={change.before ?? ''} after={change.after ?? ''} />
        </dd>
      </div>
    ))}
  </dl>
);

function TextChange({ before, after }: { before: string; after: string }) {
  const parts = useMemo(
    () =>
      before.length + after.length > MAX_COMPARED_LENGTH
        ? undefined
        : diffWordsWithSpace(before, after, { timeout: TIMEOUT_MS }),
    [before, after],
  ) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  return (
    <>
      {parts.map(({ value, added, removed }, index) => {
        const key = `${index}`;
        if (added) return <ins key={key}>{value}</ins>;
        if (removed) return <del key={key}>{value}</del>;
        return <span key={key}>{value}</span>;
      })}
    </>
  );
}
