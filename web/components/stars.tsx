/** A rating from 1 to 5 as stars, with the number for screen readers. */
export const Stars = ({ rating }: { rating: number }) => (
  <span class="stars" role="img" aria-label={`${rating} of 5 stars`}>
    {[1, 2, 3, 4, 5].map((star) => (star <= Math.round(rating) ? '★' : '☆'))}
  </span>
);
