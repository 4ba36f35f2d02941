import type { ComponentChildren } from 'preact';
import { useTitle } from './shell.tsx';
import { Empty } from './status.tsx';

interface NotFoundProps {
  /** Name of the area, for the title of the window. */
  area: string;
  /** The thing that was expected at the address, such as "app". */
  what?: string;
  /** Links to where to go from here. */
  children: ComponentChildren;
}

/** Says that there is nothing at this address, in the words of the service's own page. */
export function NotFound({ area, what = 'page', children }: NotFoundProps) {
  useTitle(`Page not found · ${area}`);
  return (
    <Empty>
      <h1>Page not found</h1>
      <p>There is no {what} at this address. It may have been removed, or the address may be mistyped.</p>
      <p>{children}</p>
    </Empty>
  );
}
