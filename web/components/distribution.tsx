import './distribution.css';

interface DistributionProps {
  counts: readonly { readonly rating: number; readonly count: number }[];
}

/** The ratings with each number of stars. A whole bar stands for all of them. */
export function Distribution({ counts }: DistributionProps) {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  return (
    <ul class="plain distribution">
      {counts.toReversed().map(({ rating, count }) => (
        <li key={rating}>
          <span>{rating === 1 ? '1 star' : `${rating} stars`}</span>
          <span class="bar" aria-hidden="true">
            <span style={{ inlineSize: `${(100 * count) / Math.max(1, total)}%` }} />
          </span>
          <span class="number">{count}</span>
        </li>
      ))}
    </ul>
  );
}
