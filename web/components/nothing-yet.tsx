import type { ComponentChildren } from 'preact';

/** Says that a list has nothing yet, and what to do about it. Where somebody has searched, `Empty` says so. */
export const NothingYet = ({ children }: { children: ComponentChildren }) => (
  <div class="empty">
    <svg viewBox="0 0 96 72" aria-hidden="true">
      <rect x="22" y="6" width="52" height="40" rx="7" />
      <rect x="12" y="18" width="72" height="46" rx="8" />
      <path d="M28 36h40M28 46h24" />
    </svg>
    <div>{children}</div>
  </div>
);
