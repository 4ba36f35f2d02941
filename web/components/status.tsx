import type { ComponentChildren } from 'preact';
import { fieldInWords, OUTAGE_CODE, type Problem } from '../client/problems.ts';
import { isServiceUp } from '../client/service.ts';
import { useSignal } from '../client/signal.ts';

/** Grey lines in the place of data that is being read. */
export const Loading = () => (
  <div class="loading" role="status">
    <span class="hidden">Loading…</span>
    <span />
    <span />
  </div>
);

/** Says that there is nothing, and what to do about it. */
export const Empty = ({ children }: { children: ComponentChildren }) => <div class="empty">{children}</div>;

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
      {reload && (
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
  children,
}: {
  from: { data: T | undefined; isLoading: boolean; problems: readonly Problem[]; reload: () => void };
  children: (data: NonNullable<T>) => ComponentChildren;
}) {
  const isUp = useSignal(isServiceUp);
  return (
    <>
      <Problems problems={problems} reload={reload} />
      {data != null ? children(data) : isLoading || !isUp || problems.length === 0 ? <Loading /> : null}
    </>
  );
}
