import { useCallback } from 'preact/hooks';
import { Link, useLocation, useSearch, useSearchParams } from 'wouter-preact';
import { wordsOf } from '../components/badge.tsx';

/** Returns the filters of the address, and a function that changes one of them and goes back to the first page. */
export function useFilters(): [URLSearchParams, (name: string, value: string | null) => void] {
  const [params, setParams] = useSearchParams();
  const set = useCallback(
    (name: string, value: string | null) =>
      setParams((before) => {
        const next = new URLSearchParams(before);
        next.delete('after');
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      }),
    [setParams],
  );
  return [params, set];
}

/** A filter that is on or off. */
export function FilterSwitch({
  name,
  label,
  count,
}: {
  name: string;
  label: string;
  count?: number | undefined;
}) {
  const [params, set] = useFilters();
  const isOn = params.get(name) === 'true';
  return (
    <button type="button" class="switch" aria-pressed={isOn} onClick={() => set(name, isOn ? null : 'true')}>
      {label}
      {count === undefined ? '' : ` (${count})`}
    </button>
  );
}

interface FilterChoiceProps {
  name: string;
  label: string;
  values: readonly string[];
  /** Text of the choice without a filter. */
  all: string;
  /** Text after each choice, such as a unit. */
  suffix?: string;
}

/** A filter with one of several values. */
export function FilterChoice({ name, label, values, all, suffix = '' }: FilterChoiceProps) {
  const [params, set] = useFilters();
  return (
    <select
      class="filter"
      aria-label={label}
      value={params.get(name) ?? ''}
      onChange={({ currentTarget }) => set(name, currentTarget.value)}
    >
      <option value="">
        {all}
        {suffix}
      </option>
      {values.map((value) => (
        <option key={value} value={value}>
          {wordsOf(value)}
          {suffix}
        </option>
      ))}
    </select>
  );
}

/** A filter with a text, which is used when Enter is pressed or the field is left. */
export function FilterText({ name, label, type = 'search' }: { name: string; label: string; type?: string }) {
  const [params, set] = useFilters();
  return (
    <input
      class="filter"
      type={type}
      aria-label={label}
      placeholder={label}
      value={params.get(name) ?? ''}
      onChange={({ currentTarget }) => set(name, currentTarget.value.trim())}
    />
  );
}

interface PagesProps {
  shown: number;
  total: number;
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

/** The links between the pages of a list. The page is in the address. */
export function Pages({ shown, total, pageInfo: { hasNextPage, endCursor } }: PagesProps) {
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
  return (
    <nav class="row pages" aria-label="Pages of the list">
      {!isFirst && <Link href={to(null)}>First page</Link>}
      {hasNextPage && <Link href={to(endCursor)}>Next page</Link>}
      <small>
        {shown} of {total} on this page
      </small>
    </nav>
  );
}

interface StatusTabsProps {
  current: string;
  tabs: readonly { readonly value: string; readonly label: string; readonly count?: number | undefined }[];
}

/** The choice between the states of a list. */
export function StatusTabs({ current, tabs }: StatusTabsProps) {
  const [, set] = useFilters();
  return (
    <>
      {tabs.map(({ value, label, count }) => (
        <button
          key={value}
          type="button"
          class="switch"
          aria-pressed={value === current}
          onClick={() => set('status', value)}
        >
          {label}
          {count === undefined ? '' : ` (${count})`}
        </button>
      ))}
    </>
  );
}
