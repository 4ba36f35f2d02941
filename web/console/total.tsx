import type { ComponentChildren } from 'preact';

interface TotalProps {
  label: string;
  total: number | string;
  /** The figure of the period before; null or absent if there is none. */
  before?: number | null;
  children?: ComponentChildren;
}

/** A figure of a period, compared with the period before. */
export const Total = ({ label, total, before = null, children }: TotalProps) => (
  <div class="card">
    <dt>{label}</dt>
    <dd>{total.toLocaleString('en')}</dd>
    {before !== null && <dd class="beside">{changeText(Number(total) - before, before)}</dd>}
    {children && <dd class="beside">{children}</dd>}
  </div>
);

/** Returns a change against the period before, such as "+12 (+8%) vs. the period before". */
function changeText(change: number, before: number): string {
  if (change === 0) return 'As many as in the period before';
  const share = before > 0 ? ` (${signed(Math.round((change / before) * 100))}%)` : '';
  return `${signed(change)}${share} vs. the period before`;
}

const signed = (count: number) => `${count > 0 ? '+' : '−'}${Math.abs(count).toLocaleString('en')}`;
