import { useEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';
import { Picture } from './picture.tsx';
import { Strip } from './strip.tsx';

type Screenshot = { readonly url: string; readonly caption: string | null };

const nameOf = ({ caption }: Screenshot, index: number) => caption || `Screenshot ${index + 1}`;

/** The screenshots of an app in a row. A click shows one large; the arrow keys turn from one to the next. */
export function Gallery({ screenshots }: { screenshots: readonly Screenshot[] }) {
  const [shown, setShown] = useState<number | null>(null);
  if (screenshots.length === 0) return null;
  return (
    <section aria-label="Screenshots">
      <Strip class="gallery">
        {screenshots.map((screenshot, index) => (
          <li key={`${index}`}>
            <button type="button" onClick={() => setShown(index)}>
              <Picture url={screenshot.url || null} alt={nameOf(screenshot, index)} />
              <span class="hidden"> (show large)</span>
            </button>
          </li>
        ))}
      </Strip>
      {shown !== null && (
        <Large
          screenshots={screenshots}
          index={Math.min(shown, screenshots.length - 1)}
          onTurn={setShown}
          onClose={() => setShown(null)}
        />
      )}
    </section>
  );
}

interface LargeProps {
  screenshots: readonly Screenshot[];
  index: number;
  onTurn: (index: number) => void;
  onClose: () => void;
}

function Large({ screenshots, index, onTurn, onClose }: LargeProps) {
  const screenshot = screenshots[index]!;
  const turn = (step: number) => onTurn((index + step + screenshots.length) % screenshots.length);
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => close.current?.focus(), []);
  return (
    <Dialog title={`Screenshot ${index + 1} of ${screenshots.length}`} onClose={onClose}>
      <figure
        class="large"
        onKeyDown={({ key }) => {
          if (key === 'ArrowRight') turn(1);
          if (key === 'ArrowLeft') turn(-1);
        }}
      >
        <button type="button" class="large-close" ref={close} onClick={onClose}>
          Close
        </button>
        <div class="large-picture">
          <Picture url={screenshot.url || null} alt={nameOf(screenshot, index)} isEager />
          {screenshots.length > 1 && (
            <>
              <TurnButton label="Previous screenshot" icon="previous" onClick={() => turn(-1)} />
              <TurnButton label="Next screenshot" icon="next" onClick={() => turn(1)} />
            </>
          )}
        </div>
        <figcaption dir="auto">{screenshot.caption}</figcaption>
      </figure>
    </Dialog>
  );
}

interface TurnButtonProps {
  label: string;
  icon: 'previous' | 'next';
  onClick: () => void;
}

const TurnButton = ({ label, icon, onClick }: TurnButtonProps) => (
  <button type="button" class="turn" aria-label={label} onClick={onClick}>
    <Icon name={icon} />
  </button>
);
