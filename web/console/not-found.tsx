import { Link } from 'wouter-preact';
import { NotFound as Missing } from '../components/not-found.tsx';

/** Says that there is no such page, or nothing of that id. */
export const NotFound = ({ what }: { what?: string }) => (
  <Missing area="Developer console" {...(what && { what })}>
    <Link href="/">Go to your apps</Link>
  </Missing>
);
