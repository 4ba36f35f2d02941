import { Link } from 'wouter-preact';

interface PagingProps {
  page: number;
  totalPages: number;
  addressOf: (page: number) => string;
  /** Called after a click, to move to the start of the list. */
  onTurn: () => void;
}

/** Links to the pages of a list: the first, the last, and those around the current one. */
export const Paging = ({ page, totalPages, addressOf, onTurn }: PagingProps) =>
  totalPages <= 1 ? null : (
    <nav class="row paging" aria-label="Pages of the list">
      {page > 1 && (
        <Link class="button" href={addressOf(page - 1)} onClick={onTurn}>
          Previous
        </Link>
      )}
      {pagesAround(page, totalPages).map((number, index, numbers) => (
        <>
          {index > 0 && number - numbers[index - 1]! > 1 && <span class="soft">…</span>}
          <Link
            key={number}
            class="button"
            href={addressOf(number)}
            onClick={onTurn}
            aria-label={`Page ${number}`}
            {...(number === page && { 'aria-current': 'page' as const })}
          >
            {number}
          </Link>
        </>
      ))}
      {page < totalPages && (
        <Link class="button" href={addressOf(page + 1)} onClick={onTurn}>
          Next
        </Link>
      )}
    </nav>
  );

const pagesAround = (page: number, totalPages: number): number[] =>
  [...new Set([1, page - 1, page, page + 1, totalPages])].filter(
    (number) => number >= 1 && number <= totalPages,
  );
