import { useKeys } from '../components/keys.ts';

/** Moves the focus between the lines of a list with `j` and `k`. A line is a link with the class `line`. */
export function useRowKeys(): void {
  const move = (step: 1 | -1) => {
    const lines = [...document.querySelectorAll<HTMLElement>('a.line')];
    const at = lines.indexOf(document.activeElement as HTMLElement);
    const next = at === -1 ? lines[0] : lines[at + step];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  useKeys({ j: () => move(1), k: () => move(-1) });
}
