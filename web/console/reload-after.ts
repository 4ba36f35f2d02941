import { useEffect, useRef } from 'preact/hooks';

/** Reads data again when a value has changed, such as the number of reported events. */
export function useReloadAfter(value: number | string, reload: () => void): void {
  const seen = useRef(value);
  useEffect(() => {
    if (seen.current === value) return;
    seen.current = value;
    reload();
  }, [value, reload]);
}
