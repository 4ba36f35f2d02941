import { type Change as DiffChange, diffWordsWithSpace } from 'diff';
import { useMemo, useState } from 'preact/hooks';

export interface Change {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Comparing longer texts word by word takes too long; they are shown one after the other. */
const MAX_COMPARED_LENGTH = 40_000;
/** The time for all fields together. */
const TIMEOUT_MS = 200;

type Part = Pick<DiffChange, 'value' | 'added' | 'removed'>;

/** The fields of a listing that were changed, each with its text before and after, word by word. */
export function Changes({ changes }: { changes: readonly Change[] }) {
  // The list is often a new one with the same texts.
  const texts = JSON.stringify(changes);
  const compared = useMemo(() => {
    const endsAt = performance.now() + TIMEOUT_MS;
    return changes.map(({ field, before, after }) => ({
      field,
      parts: partsOf(before ?? '', after ?? '', endsAt - performance.now()),
    }));
  }, [texts]);
  return (
    <dl class="changes">
      {compared.map(({ field, parts }) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd dir="auto">
            <Parts parts={parts} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function partsOf(before: string, after: string, timeout: number): readonly Part[] {
  // A word such as a version number or an address is one piece.
  const isOneWord = !/\s/.test(before) && !/\s/.test(after);
  const isShort = !isOneWord && before.length + after.length <= MAX_COMPARED_LENGTH && timeout > 0;
  return (
    (isShort && diffWordsWithSpace(before, after, { timeout })) || [
      { value: before, removed: true, added: false },
      ...(isOneWord && before && after ? [{ value: ' → ', removed: false, added: false }] : []),
      { value: after, removed: false, added: true },
    ]
  );
}

/** Unchanged text around a change; more of it is folded. */
const CONTEXT_LENGTH = 160;

/** The parts of a text; long unchanged ones are folded until one asks for everything. */
function Parts({ parts }: { parts: readonly Part[] }) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = parts.map((part, index) =>
    part.added || part.removed ? part.value : folded(part.value, index > 0, index < parts.length - 1),
  );
  const isFolded = shown.some((text, index) => text !== parts[index]?.value);
  return (
    <>
      {parts.map(({ value, added, removed }, index) => {
        const key = `${index}`;
        if (added) return <ins key={key}>{value}</ins>;
        if (removed) return <del key={key}>{value}</del>;
        return <span key={key}>{isWhole ? value : shown[index]}</span>;
      })}
      {isFolded && (
        <button type="button" class="link below" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? 'Show the changes only' : 'Show the whole text'}
        </button>
      )}
    </>
  );
}

/** Keeps whole words beside the changes before and after the text. */
function folded(text: string, isAfterChange: boolean, isBeforeChange: boolean): string {
  if (text.length <= 3 * CONTEXT_LENGTH) return text;
  const start = isAfterChange ? text.slice(0, CONTEXT_LENGTH).replace(/\S*$/, '') : '';
  const end = isBeforeChange ? text.slice(-CONTEXT_LENGTH).replace(/^\S*/, '') : '';
  return `${start}…${end}`;
}
