import { Signal, useSignal } from '../client/signal.ts';
import { Dialog } from '../components/dialog.tsx';
import { useKeys } from '../components/keys.ts';

const keys: readonly { where: string; keys: readonly [string, string][] }[] = [
  {
    where: 'Everywhere',
    keys: [
      ['n', 'Open what you have claimed, or the oldest'],
      ['?', 'Show these keys'],
    ],
  },
  {
    where: 'In lists',
    keys: [
      ['j', 'Next row'],
      ['k', 'Previous row'],
    ],
  },
  {
    where: 'On a submission',
    keys: [
      ['c', 'Claim it, or renew the claim'],
      ['x', 'Release the claim'],
      ['a', 'Approve it and open the next one'],
      ['y', 'Approve it despite findings or a message'],
      ['u', 'Undo a decision, within 10 seconds'],
      ['r', 'Choose reasons to reject it'],
      ['1 – 9', 'Tick a reason'],
      ['m', 'Write to the developer'],
      ['Ctrl or ⌘ + Enter', 'Send it'],
      ['Escape', 'Close the reasons'],
      ['q', 'Back to the queue'],
    ],
  },
];

const isShown = new Signal(false);

/** A button that lists the keys. Screens without a keyboard have none. */
export const KeysButton = () => (
  <button type="button" class="for-keys" onClick={() => (isShown.value = true)}>
    Keys <kbd>?</kbd>
  </button>
);

/** Lists the keys of the desk at `?`. */
export function KeysHelp() {
  useKeys({ '?': () => (isShown.value = true) });
  const onClose = () => (isShown.value = false);
  return useSignal(isShown) ? <KeysDialog onClose={onClose} /> : null;
}

const KeysDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="Keys" onClose={onClose}>
    <div class="stack">
      {keys.map(({ where, keys: some }) => (
        <section key={where}>
          <h3>{where}</h3>
          <dl class="keys">
            {some.map(([key, meaning]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <div class="row end">
        <button type="button" class="primary" onClick={onClose}>
          Close
        </button>
      </div>
    </div>
  </Dialog>
);
