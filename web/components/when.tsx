import { Signal, useSignal } from '../client/signal.ts';
import { momentOf } from '../client/words.ts';

const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['week', 7 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const dayFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

/** A time as "3 hours ago" or "in 2 days". */
export function relativeTime(at: string, now = Date.now()): string {
  const seconds = (Date.parse(at) - now) / 1000;
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['minute', 60];
  return Math.abs(seconds) < 60 ? 'just now' : relative.format(Math.round(seconds / size), unit);
}

/** A duration as "2 days" or "5 hours". */
export function duration(seconds: number): string {
  const [unit, size] = units.find(([, length]) => seconds >= length) ?? ['minute', 60];
  const count = Math.max(1, Math.round(seconds / size));
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

export const dayOf = (at: string): string => dayFormat.format(new Date(at));

const minute = new Signal(Date.now());
setInterval(() => {
  minute.value = Date.now();
}, 60_000);

/** A time relative to now; the exact time is in the title. */
export function When({ at }: { at: string }) {
  useSignal(minute);
  return (
    <time dateTime={at} title={momentOf(at)}>
      {relativeTime(at)}
    </time>
  );
}

/** A time of a known day as "14:05"; the whole of it is in the title. */
export const ClockTime = ({ at }: { at: string }) => (
  <time dateTime={at} title={momentOf(at)}>
    {clock.format(new Date(at))}
  </time>
);
