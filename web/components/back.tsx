import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';

/** The way back to the list that a page belongs to. */
export const Back = ({ to, children }: { to: string; children: ComponentChildren }) => (
  <p class="tight">
    <Link class="back" href={to}>
      <span aria-hidden="true">← </span>
      {children}
    </Link>
  </p>
);
