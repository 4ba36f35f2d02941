import { useId } from 'preact/hooks';

/** Chooses from one to five stars by radio buttons, which look like stars. */
export function StarChoice({ value, onChange }: { value: number; onChange: (stars: number) => void }) {
  const name = useId();
  return (
    <fieldset class="field">
      <legend>How do you like it?</legend>
      <div class="star-choice">
        {[1, 2, 3, 4, 5].map((stars) => (
          <label key={stars}>
            <input
              type="radio"
              class="hidden"
              name={name}
              value={stars}
              checked={value === stars}
              onChange={() => onChange(stars)}
            />
            <span aria-hidden="true">{stars <= value ? '★' : '☆'}</span>
            <span class="hidden">{stars === 1 ? '1 star' : `${stars} stars`}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
