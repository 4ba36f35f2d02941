import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { wordsOf } from '../components/badge.tsx';

/** Returns the filters of the address, and a function that changes one of them and goes back to the first page. */
export function useFilters(): [
  URLSearchParams,
  (name: string, value: string | null, options?: { replace: boolean }) => void,
] {
  const [params, setParams] = useSearchParams();
  const set = useCallback(
    (name: string, value: string | null, options?: { replace: boolean }) =>
      setParams((before) => {
        const next = new URLSearchParams(before);
        next.delete('after');
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      }, options),
    [setParams],
  );
  return [params, set];
}

interface SwitchProps {
  label: string;
  count?: number | undefined;
  isOn: boolean;
  onClick: () => void;
}

const Switch = ({ label, count, isOn, onClick }: SwitchProps) => (
  <button type="button" class="switch" aria-pressed={isOn} onClick={onClick}>
    {label} {!!count && <span class="count">{count}</span>}
  </button>
);

/** A filter that is on or off. */
export function FilterSwitch({ name, ...text }: Pick<SwitchProps, 'label' | 'count'> & { name: string }) {
  const [params, set] = useFilters();
  const isOn = params.get(name) === 'true';
  return <Switch {...text} isOn={isOn} onClick={() => set(name, isOn ? null : 'true')} />;
}

/** The choice without any of the given filters that are on or off. */
export function FilterAll({ switches }: { switches: readonly string[] }) {
  const [params, setParams] = useSearchParams();
  const clear = () =>
    setParams((before) => {
      const next = new URLSearchParams(before);
      for (const name of ['after', ...switches]) next.delete(name);
      return next;
    });
  return <Switch label="All" isOn={!switches.some((name) => params.get(name) === 'true')} onClick={clear} />;
}

interface FilterChoiceProps {
  name: string;
  label: string;
  values: readonly string[];
  /** Text of the choice without a filter. */
  all: string;
  /** Text after each choice, such as a unit. */
  suffix?: string;
  /** True if the values are grouped by their first word. */
  isGrouped?: boolean;
  nameOf?: (value: string) => string;
}

const firstWord = (value: string) => wordsOf(value).split(' ')[0] ?? '';

/** A filter with one of several values. */
export function FilterChoice({
  name,
  label,
  values,
  all,
  suffix = '',
  isGrouped = false,
  nameOf = wordsOf,
}: FilterChoiceProps) {
  const [params, set] = useFilters();
  const option = (value: string) => (
    <option key={value} value={value}>
      {nameOf(value)}
      {suffix}
    </option>
  );
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
      {isGrouped
        ? Object.entries(Object.groupBy(values, firstWord)).map(([group, some]) => (
            <optgroup key={group} label={group}>
              {some?.map(option)}
            </optgroup>
          ))
        : values.map(option)}
    </select>
  );
}

interface FilterTextProps {
  name: string;
  label: string;
  type?: string;
  /** True if the list follows while one types; else the text is used when Enter is pressed or the field is left. */
  isLive?: boolean;
  maxLength?: number;
}

const TYPING_PAUSE_MS = 250;

/** A filter with a text. */
export function FilterText({
  name,
  label,
  type = 'search',
  isLive = false,
  maxLength = 100,
}: FilterTextProps) {
  const [params, set] = useFilters();
  const current = params.get(name) ?? '';
  const [text, setText] = useState(current);
  const applied = useRef(current);
  useEffect(() => {
    // The address also changes without the field, for example with the back button.
    if (current !== applied.current) setText(current);
    applied.current = current;
  }, [current]);
  const apply = useCallback(() => {
    const value = text.trim();
    if (value === current) return;
    applied.current = value;
    set(name, value, { replace: isLive });
  }, [isLive, text, current, name, set]);
  useEffect(() => {
    if (!isLive) return;
    const timer = setTimeout(apply, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isLive, apply]);
  return (
    <input
      class="filter"
      type={type}
      aria-label={label}
      placeholder={label}
      maxLength={maxLength}
      value={text}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
      onChange={apply}
    />
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
      {tabs.map(({ value, ...text }) => (
        <Switch key={value} {...text} isOn={value === current} onClick={() => set('status', value)} />
      ))}
    </>
  );
}
