import { useEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from '../components/dialog.tsx';
import { Picture } from '../components/picture.tsx';

type Screenshot = { readonly url: string; readonly caption: string | null };

const nameOf = ({ caption }: Screenshot, index: number) => caption ?? `Screenshot ${index + 1}`;

/** The screenshots of an app in a row. A click shows one in full size; the arrow keys turn from one to the next. */
export function Gallery({ screenshots }: { screenshots: readonly Screenshot[] }) {
  const [shown, setShown] = useState<number | null>(null);
  if (screenshots.length === 0) return null;
  return (
    <section aria-label="Screenshots">
      <ul class="plain gallery">
        {screenshots.map((screenshot, index) => (
          <li key={screenshot.url}>
            <button type="button" onClick={() => setShown(index)}>
              <Picture url={screenshot.url} alt={nameOf(screenshot, index)} />
              <span class="hidden"> (show in full size)</span>
            </button>
          </li>
        ))}
      </ul>
      {shown !== null && (
        <FullSize
          screenshots={screenshots}
          index={Math.min(shown, screenshots.length - 1)}
          onTurn={setShown}
          onClose={() => setShown(null)}
        />
      )}
    </section>
  );
}

interface FullSizeProps {
  screenshots: readonly Screenshot[];
  index: number;
  onTurn: (index: number) => void;
  onClose: () => void;
}

function FullSize({ screenshots, index, onTurn, onClose }: FullSizeProps) {
  const screenshot = screenshots[index]!;
  const turn = (step: number) => onTurn((index + step + screenshots.length) % screenshots.length);
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => close.current?.focus(), []);
  return (
    <Dialog title={`Screenshot ${index + 1} of ${screenshots.length}`} onClose={onClose}>
      <figure
        class="full-size"
        onKeyDown={({ key }) => {
          if (key === 'ArrowRight') turn(1);
          if (key === 'ArrowLeft') turn(-1);
        }}
      >
        <Picture url={screenshot.url} alt={nameOf(screenshot, index)} />
        <figcaption dir="auto">{screenshot.caption}</figcaption>
        <div class="row end">
          {screenshots.length > 1 && (
            <>
              <button type="button" onClick={() => turn(-1)}>
                Previous
              </button>
              <button type="button" onClick={() => turn(1)}>
                Next
              </button>
            </>
          )}
          <button type="button" class="primary" ref={close} onClick={onClose}>
            Close
          </button>
        </div>
      </figure>
    </Dialog>
  );
}
