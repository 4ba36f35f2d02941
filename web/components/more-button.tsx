interface MoreButtonProps {
  shown: number;
  total: number;
  isLoading: boolean;
  onMore: () => void;
}

/** Shows how much of a list there is, and loads more of it. */
export const MoreButton = ({ shown, total, isLoading, onMore }: MoreButtonProps) =>
  shown >= total ? null : (
    <p class="row">
      <button type="button" disabled={isLoading} onClick={onMore}>
        Show more
      </button>
      <small>
        {shown} of {total}
      </small>
    </p>
  );
