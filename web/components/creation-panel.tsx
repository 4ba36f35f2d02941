import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import './disclosure.css';
import { NothingYet } from './status.tsx';

interface CreationPanelProps {
  title: string;
  /** True if there is nothing yet: then the form is open. */
  isFirst?: boolean;
  /** Says that there is nothing yet, above the button; false if there is something. */
  empty?: string | false;
  /** Renders the form. It calls `close` when it has done its work, and has `cancel` beside its button. */
  children: (close: () => void, cancel: ComponentChildren) => ComponentChildren;
}

/** The form for something new above a list: behind a button, unless it is the first thing to fill in. */
export function CreationPanel({ title, isFirst = false, empty = false, children }: CreationPanelProps) {
  const [isOpen, setIsOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current !== isOpen)
      place.current?.querySelector<HTMLElement>(isOpen ? 'input, select' : 'button')?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const close = () => setIsOpen(false);
  return (
    <div ref={place}>
      {isFirst || isOpen ? (
        <section class="card creation">
          <h2>{title}</h2>
          {children(
            close,
            !isFirst && (
              <button type="button" onClick={close}>
                Cancel
              </button>
            ),
          )}
        </section>
      ) : (
        <Unopened empty={empty}>
          <button type="button" class="primary" onClick={() => setIsOpen(true)}>
            {title}
          </button>
        </Unopened>
      )}
    </div>
  );
}

const Unopened = ({ empty, children }: { empty: string | false; children: ComponentChildren }) =>
  empty ? (
    <section class="card">
      <NothingYet>
        <p>{empty}</p>
        {children}
      </NothingYet>
    </section>
  ) : (
    children
  );
