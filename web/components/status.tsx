import type { ComponentChildren } from 'preact';
import { isPassing, OUTAGE_CODE, type Problem } from '../client/problems.ts';
import { isServiceUp } from '../client/service.ts';
import { useSignal } from '../client/signal.ts';
import { fieldInWords } from '../client/words.ts';

/** Grey lines in the place of data that is being read. */
export const Loading = () => (
  <div class="loading" role="status">
    <span class="hidden">Loading…</span>
    <span />
    <span />
  </div>
);

/** Grey shapes in the place of content that is being read; the class names the shape. */
export const Skeleton = ({ shapes }: { shapes: readonly string[] }) => (
  <div class="loading skeletons" role="status">
    <span class="hidden">Loading…</span>
    {shapes.map((shape, index) => (
      <span key={`${index}`} class={`skeleton ${shape}`} />
    ))}
  </div>
);

/** A picture of empty cards with the given lines on the first one, and a text. */
const EmptyCards = ({ lines, children }: { lines: string; children: ComponentChildren }) => (
  <div class="empty">
    <svg viewBox="0 0 96 72" aria-hidden="true">
      <rect x="22" y="6" width="52" height="40" rx="7" />
      <rect x="12" y="18" width="72" height="46" rx="8" />
      <path d={lines} />
    </svg>
    <div>{children}</div>
  </div>
);

/** Says that nothing was found, and what to do about it. */
export const Empty = ({ children }: { children: ComponentChildren }) => (
  <EmptyCards lines="M28 36h28M28 46h18M72 48a6 6 0 1 1-12 0 6 6 0 0 1 12 0zM70.5 52.5l5 5">
    {children}
  </EmptyCards>
);

/** Says that a list has nothing yet, and what to do about it. */
export const NothingYet = ({ children }: { children: ComponentChildren }) => (
  <EmptyCards lines="M28 36h40M28 46h24">{children}</EmptyCards>
);

/** Shows what went wrong, as the service says it. During an outage the frame of the page says so. */
export function Problems({ problems, reload }: { problems: readonly Problem[]; reload?: () => void }) {
  const isUp = useSignal(isServiceUp);
  const shown = problems.filter(({ code }) => isUp || code !== OUTAGE_CODE);
  if (shown.length === 0) return null;
  return (
    <div class="note bad" role="alert">
      {shown.map(({ message, details }) => (
        <div key={message}>
          <p>{message}</p>
          {details.length > 0 && (
            <ul>
              {details.map(({ field, message: text }) => (
                <li key={field + text}>
                  {field ? <strong>{fieldInWords(field)}: </strong> : null}
                  {text}
                </li>
              ))}
            </ul>
          )}
        </div>
      ))}
      {reload && shown.some(isPassing) && (
        <button type="button" onClick={reload}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Shows the data, or why there is none: it is being read, or that failed. */
export function Loaded<T>({
  from: { data, isLoading, problems, reload },
  skeleton = <Loading />,
  children,
}: {
  from: { data: T | undefined; isLoading: boolean; problems: readonly Problem[]; reload: () => void };
  /** Has the shape of the content while it is being read. */
  skeleton?: ComponentChildren;
  children: (data: NonNullable<T>) => ComponentChildren;
}) {
  const isUp = useSignal(isServiceUp);
  return (
    <>
      <Problems problems={problems} reload={reload} />
      {data != null ? children(data) : isLoading || !isUp || problems.length === 0 ? skeleton : null}
    </>
  );
}
