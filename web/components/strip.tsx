import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import './strip.css';

/** Scrolls by most of what is shown, so that one item stays in view. */
const STEP = 0.8;

/**
 * A row of items that scrolls sideways. Where there is more, its end fades and a pointer finds an arrow. Keys need none:
 * the focus brings an item into view.
 */
export function Strip({ class: name, children }: { class: string; children: ComponentChildren }) {
  const list = useRef<HTMLUListElement>(null);
  const [more, setMore] = useState({ before: false, after: false });
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const measure = () => {
      // In a page that is written from right to left, positions are negative.
      const position = Math.abs(element.scrollLeft);
      const rest = element.scrollWidth - element.clientWidth - position;
      setMore({ before: position > 4, after: rest > 4 });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);
  const scroll = (direction: 1 | -1) =>
    list.current?.scrollBy({ left: direction * STEP * list.current.clientWidth });
  return (
    <div class={`strip ${more.before ? 'more-before' : ''} ${more.after ? 'more-after' : ''}`}>
      <ul class={`plain ${name}`} ref={list}>
        {children}
      </ul>
      {more.before && <Arrow icon="previous" onClick={() => scroll(-1)} />}
      {more.after && <Arrow icon="next" onClick={() => scroll(1)} />}
    </div>
  );
}

const Arrow = ({ icon, onClick }: { icon: 'previous' | 'next'; onClick: () => void }) => (
  <button type="button" class={`strip-arrow ${icon}`} tabIndex={-1} aria-hidden="true" onClick={onClick}>
    <Icon name={icon} />
  </button>
);
