import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useLocation } from 'wouter-preact';

/** Starts at the top of a page that a link has opened. After the back button, the browser restores the place itself. */
export function useTopOfPage(): void {
  const [path] = useLocation();
  const last = useRef(path);
  const isBack = useRef(false);
  useEffect(() => {
    const onMove = ({ type }: Event) => {
      isBack.current = type === 'popstate';
    };
    // The router reports its own navigation by the event pushState.
    for (const type of ['popstate', 'pushState']) addEventListener(type, onMove);
    return () => {
      for (const type of ['popstate', 'pushState']) removeEventListener(type, onMove);
    };
  }, []);
  // Runs before the effects of the page, which may have a better place for the focus.
  useLayoutEffect(() => {
    if (last.current === path) return;
    last.current = path;
    if (isBack.current) return;
    scrollTo({ top: 0, behavior: 'instant' });
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [path]);
}
