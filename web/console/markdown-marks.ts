/** A mark of Markdown: around the selected text, or at the start of each selected line. */
export type Mark =
  | { readonly around: readonly [before: string, after: string]; readonly sample: string }
  | { readonly start: (line: number) => string; readonly sample: string };

interface Selection {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A part of a text that is replaced, and what is selected afterwards. */
interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly by: string;
  readonly select: readonly [start: number, end: number];
}

/** Returns the change that sets a mark at a selection, or removes it if it is there already. */
export const marked = (selection: Selection, mark: Mark): Replacement =>
  'around' in mark ? wrapped(selection, mark) : prefixed(selection, mark);

function wrapped(
  { text, start, end }: Selection,
  { around: [before, after], sample }: Extract<Mark, { around: unknown }>,
): Replacement {
  const isMarked =
    text.slice(start - before.length, start) === before && text.slice(end, end + after.length) === after;
  const inner = text.slice(start, end) || sample;
  const from = isMarked ? start - before.length : start;
  const at = isMarked ? from : from + before.length;
  return {
    from,
    to: isMarked ? end + after.length : end,
    by: isMarked ? inner : before + inner + after,
    select: [at, at + inner.length],
  };
}

function prefixed({ text, start, end }: Selection, mark: Extract<Mark, { start: unknown }>): Replacement {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', end);
  const to = next < 0 ? text.length : next;
  const lines = (text.slice(from, to) || mark.sample).split('\n');
  const isMarked = lines.every((line, index) => line.startsWith(mark.start(index)));
  const by = lines
    .map((line, index) => (isMarked ? line.slice(mark.start(index).length) : mark.start(index) + line))
    .join('\n');
  return { from, to, by, select: [from, from + by.length] };
}
