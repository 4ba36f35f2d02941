import { brief } from './counted.ts';

/** A rating from 1 to 5 as stars, rounded to a half, with the number for screen readers. */
export const Stars = ({ rating }: { rating: number }) => (
  <span class="stars" role="img" aria-label={`${rating} of 5 stars`}>
    <span class={`stars-full of-${Math.round(rating * 2)}`}>★★★★★</span>
    <span class="stars-empty">★★★★★</span>
  </span>
);

/** The average rating of an app in short: "★ 4.1 (36)". */
export const RatingFigure = ({ average, count }: { average: number; count: number }) => (
  <span class="rating-figure">
    <span aria-hidden="true">★</span>
    <span class="hidden">Rated </span> <strong>{average.toFixed(1)}</strong>
    <small>
      {' '}
      ({brief(count)}
      <span class="hidden"> {count === 1 ? 'rating' : 'ratings'}</span>)
    </small>
  </span>
);
