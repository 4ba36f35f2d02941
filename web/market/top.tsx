import { Link, useLocation, useSearch } from 'wouter-preact';
import { wordsOf } from '../components/badge.tsx';
import { Icon } from '../components/icon.tsx';
import { categoryNames } from './address.ts';
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
          <p>Find what your team is missing: reviewed apps that work with your tasks.</p>
        </div>
      )}
      <SearchBox />
      {isHome && (
        <nav aria-label="Categories">
          <ul class="plain category-chips">
            {categoryNames.map((category) => (
              <li key={category}>
                <Link class="chip" href={`/?category=${category}`}>
                  <Icon name={category} /> {wordsOf(category)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  );
}
