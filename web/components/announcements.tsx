import { Signal, useSignal } from '../client/signal.ts';

const SHOWN_MS = 5_000;
const MOST_SHOWN = 2;
const current = new Signal<readonly { id: number; text: string }[]>([]);
let last = 0;

/** Shows a short message for some seconds, and has screen readers say it. */
export function announce(text: string): void {
  last += 1;
  const id = last;
  current.value = [...current.value, { id, text }].slice(-MOST_SHOWN);
  setTimeout(() => {
    current.value = current.value.filter((message) => message.id !== id);
  }, SHOWN_MS);
}

export const Announcements = () => (
  <div class="announcements" role="status" aria-live="polite">
    {useSignal(current).map(({ id, text }) => (
      <p key={id}>{text}</p>
    ))}
  </div>
);
