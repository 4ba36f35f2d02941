import { useRef } from 'preact/hooks';
import { Link, useLocation, useSearch } from 'wouter-preact';

interface PagesProps {
  shown: number;
  total: number;
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

/** The links between the pages of a list. The page is in the address. */
export function Pages({ shown, total, pageInfo: { hasNextPage, endCursor } }: PagesProps) {
  const links = useRef<HTMLElement>(null);
  const [location] = useLocation();
  const params = new URLSearchParams(useSearch());
  const isFirst = !params.has('after');
  if (isFirst && !hasNextPage) return null;
  const to = (after: string | null) => {
    const next = new URLSearchParams(params);
    if (after) next.set('after', after);
    else next.delete('after');
    return `${location}?${next}`;
  };
  const goToHeading = () => {
    const heading = links.current?.closest('section')?.querySelector<HTMLElement>('h1, h2');
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    heading.scrollIntoView({ behavior: 'instant' });
  };
  return (
    <nav ref={links} class="row pages" aria-label="Pages of the list">
      <small>
        {shown} of {total} shown
      </small>
      {!isFirst && (
        <Link class="button" href={to(null)} onClick={goToHeading}>
          First page
        </Link>
      )}
      {hasNextPage && (
        <Link class="button" href={to(endCursor)} onClick={goToHeading}>
          Next page
        </Link>
      )}
    </nav>
  );
}
