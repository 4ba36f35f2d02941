import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { session } from '../client/session.ts';
import { Avatar } from './avatar.tsx';
import './account-menu.css';

/** The initials of the person who is signed in. They open the name, the children and the way to sign out. */
export function AccountMenu({ name, children }: { name: string; children: ComponentChildren }) {
  const [isOpen, setIsOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const id = useId();
  return (
    <nav
      class="account-menu"
      aria-label="Account"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.stopPropagation();
        setIsOpen(false);
        opener.current?.focus();
      }}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) setIsOpen(false);
      }}
    >
      <button
        type="button"
        class="account-opener"
        ref={opener}
        aria-label={`Account menu of ${name}`}
        aria-expanded={isOpen}
        aria-controls={id}
        title={name}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Avatar name={name} />
      </button>
      {/* A click on the text keeps the focus within, and so the menu open. */}
      <div id={id} class="account-panel" tabIndex={-1} hidden={!isOpen}>
        <p>
          <small>Signed in as</small>
          <strong dir="auto">{name}</strong>
        </p>
        {children}
        <button type="button" onClick={() => void session.signOut()}>
          Sign out
        </button>
      </div>
    </nav>
  );
}
