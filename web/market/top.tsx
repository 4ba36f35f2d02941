import { useLocation, useSearch } from 'wouter-preact';
import { CategoryChips } from './category-chips.tsx';
import { SearchBox } from './search-box.tsx';

/** The search box; on the start page with a welcome and the categories. It is one element on all pages, and keeps the focus. */
export function Top() {
  const [path] = useLocation();
  const search = useSearch();
  const isHome = path === '/' && search === '';
  return (
    <div class={isHome ? 'hero' : 'top'}>
      {isHome && (
        <div class="hero-text">
          <h1>Apps for your work</h1>
          <p>Reviewed apps that work with your tasks and your team.</p>
        </div>
      )}
      <SearchBox />
      {isHome && <CategoryChips />}
    </div>
  );
}
