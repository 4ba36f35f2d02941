import { Link } from 'wouter-preact';
import { wordsOf } from '../components/badge.tsx';
import { Icon } from '../components/icon.tsx';
import { addressOf, type Listing } from './address.ts';

/** The filters of a list, each with a link that removes it. A single one is in the heading, and where it was chosen. */
export function FilterChips({ listing }: { listing: Listing }) {
  const { search, category, environment } = listing;
  const filters = [
    search && { text: `“${search}”`, without: { search: '', sort: null } },
    category && { text: wordsOf(category), without: { category: null } },
    environment && { text: wordsOf(environment), without: { environment: null } },
  ].filter((filter) => filter !== '' && filter !== null);
  if (filters.length < 2) return null;
  return (
    <ul class="plain row" aria-label="Filters">
      {filters.map(({ text, without }) => (
        <li key={text}>
          <Link class="chip" href={addressOf(listing, without)} aria-label={`Remove the filter ${text}`}>
            <span dir="auto">{text}</span> <Icon name="close" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
