import { Link } from 'wouter-preact';
import { wordsOf } from '../components/badge.tsx';
import { categories } from '../components/categories.ts';
import { Icon } from '../components/icon.tsx';

/** The categories as links to their apps. */
export const CategoryChips = () => (
  <nav aria-label="Categories">
    <ul class="plain category-chips">
      {categories.map((category) => (
        <li key={category}>
          <Link class="chip" href={`/?category=${category}`}>
            <Icon name={category} /> {wordsOf(category)}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
);
