import { useEffect, useRef } from 'preact/hooks';

/** Reads data again when the number of reported events has grown. */
export function useReloadAfter(events: number, reload: () => void): void {
  const seen = useRef(events);
  useEffect(() => {
    if (seen.current === events) return;
    seen.current = events;
    reload();
  }, [events, reload]);
}
