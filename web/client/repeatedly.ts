import { useEffect } from 'preact/hooks';

/** Calls a function again and again while the page is visible; null stops it. */
export function useRepeatedly(call: () => void, everyMs: number | null): void {
  useEffect(() => {
    if (everyMs === null) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && call(), everyMs);
    return () => clearInterval(timer);
  }, [call, everyMs]);
}
