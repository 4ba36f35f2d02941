import { Link } from 'wouter-preact';
import { useTitle } from '../components/shell.tsx';

/** Says that there is no such page, or nothing of that id. */
export function NotFound({ what = 'page' }: { what?: string }) {
  useTitle('Not found · Developer console');
  return (
    <div class="empty">
      <h1>There is no such {what}</h1>
      <p>
        It may have been deleted, or belong to another account. <Link href="/">Go to your apps</Link>
      </p>
    </div>
  );
}
