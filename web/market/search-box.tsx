import type { ResultOf } from 'gql.tada';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useLocation, useSearchParams } from 'wouter-preact';
import { useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { wordsOf } from '../components/badge.tsx';
import { Icon } from '../components/icon.tsx';
import { useKeys } from '../components/keys.ts';
import { Logo } from '../components/picture.tsx';
import { addressOf, listingOf, MAX_SEARCH } from './address.ts';

export const Suggestions = graphql(`
  query MarketSuggestions($prefix: String!) {
    suggest(prefix: $prefix, first: 8) { slug name logoUrl category }
  }
`);

const TYPING_PAUSE_MS = 120;

/** Searches the apps, and suggests them while one types: a combobox with a list, by keyboard or pointer. */
export function SearchBox() {
  const [path, navigate] = useLocation();
  const [query] = useSearchParams();
  const listing = listingOf(query);
  const isList = path === '/';
  const current = isList ? listing.search : '';
  const [text, setText] = useState(current);
  useEffect(() => setText(current), [current]);
  const box = useSuggestions(text);
  const input = useRef<HTMLInputElement>(null);
  useKeys({
    '/': () => {
      input.current?.focus();
      input.current?.select();
    },
  });

  const search = () => {
    box.close();
    // Another search has another best match; the filters stay.
    navigate(
      addressOf(listingOf(isList ? query : new URLSearchParams()), { search: text.trim(), sort: null }),
    );
  };
  const open = (slug: string) => {
    box.close();
    setText('');
    navigate(`/apps/${slug}`);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      box.move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (box.isOpen) box.close();
      else setText('');
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (box.active) open(box.active.slug);
      else search();
    }
  };

  return (
    <search class="search-box">
      <label class="hidden" for={box.id}>
        Search apps
      </label>
      <Icon name="search" />
      <input
        ref={input}
        id={box.id}
        type="search"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        placeholder="Search apps"
        maxLength={MAX_SEARCH}
        dir="auto"
        value={text}
        aria-expanded={box.isOpen}
        aria-controls={`${box.id}-list`}
        aria-autocomplete="list"
        aria-keyshortcuts="/"
        aria-activedescendant={box.isOpen && box.active ? `${box.id}-${box.active.slug}` : undefined}
        onInput={({ currentTarget: { value } }) => {
          setText(value);
          box.type();
        }}
        onKeyDown={onKeyDown}
        onBlur={box.close}
      />
      <button type="button" class="primary" onClick={search}>
        Search
      </button>
      <SuggestionList {...box} onChoose={open} />
      <span class="hidden" role="status">
        {box.isOpen ? (box.options.length === 1 ? '1 suggestion' : `${box.options.length} suggestions`) : ''}
      </span>
    </search>
  );
}

type Option = ResultOf<typeof Suggestions>['suggest'][number];

interface SuggestionListProps {
  id: string;
  isOpen: boolean;
  options: readonly Option[];
  active: Option | undefined;
  onChoose: (slug: string) => void;
}

const SuggestionList = ({ id, isOpen, options, active, onChoose }: SuggestionListProps) => (
  <div id={`${id}-list`} role="listbox" aria-label="Suggestions" class="suggestions" hidden={!isOpen}>
    {options.map(({ slug, name, logoUrl, category }) => (
      // The input keeps the focus, and handles the keys.
      // biome-ignore lint/a11y/useFocusableInteractive: see above
      // biome-ignore lint/a11y/useKeyWithClickEvents: see above
      <div
        key={slug}
        id={`${id}-${slug}`}
        role="option"
        aria-selected={slug === active?.slug}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onChoose(slug)}
      >
        <Logo url={logoUrl} name={name} isEager />
        <span class="one-line">
          <bdi>{name}</bdi>
        </span>
        <small>{wordsOf(category)}</small>
      </div>
    ))}
  </div>
);

/** Reads the suggestions for a text once the person pauses, and keeps which of them is active. */
function useSuggestions(text: string) {
  const id = useId();
  const [prefix, setPrefix] = useState('');
  const [isTyping, setIsTyping] = useState(false);
  const [at, setAt] = useState(-1);
  const typed = text.trim();
  useEffect(() => {
    const timer = setTimeout(() => setPrefix(typed), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data } = useData(Suggestions, { prefix }, { pause: prefix === '' || !isTyping });
  // Suggestions for the text before stay until the next ones have come, so that the list does not flicker.
  const options: readonly Option[] = isTyping && typed !== '' ? (data?.suggest ?? []) : [];
  const last = useRef(options);
  useEffect(() => {
    if (last.current !== options) setAt(-1);
    last.current = options;
  }, [options]);
  return {
    id,
    options,
    isOpen: options.length > 0,
    active: options[at] as Option | undefined,
    type: () => setIsTyping(true),
    close: () => {
      setIsTyping(false);
      setAt(-1);
    },
    /** Moves to the next or the previous option; before the first and after the last is the text itself. */
    move: (step: 1 | -1) => {
      setIsTyping(true);
      setAt((current) => ((current + 1 + step + options.length + 1) % (options.length + 1)) - 1);
    },
  };
}
