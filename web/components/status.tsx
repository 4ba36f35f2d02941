import type { ComponentChildren } from 'preact';
import type { Problem } from '../client/problems.ts';

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

/** Shows what went wrong, as the service says it. */
export function Problems({ problems, reload }: { problems: readonly Problem[]; reload?: () => void }) {
  if (problems.length === 0) return null;
  return (
    <div class="note bad" role="alert">
      {problems.map(({ message, details }) => (
        <div key={message}>
          <p>{message}</p>
          {details.length > 0 && (
            <ul>
              {details.map(({ field, message: text }) => (
                <li key={field + text}>
                  {field ? <strong>{field}: </strong> : null}
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
  return (
    <>
      <Problems problems={problems} reload={reload} />
      {data != null ? children(data) : isLoading || problems.length === 0 ? <Loading /> : null}
    </>
  );
}
