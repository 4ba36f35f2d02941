import { Dialog } from '../components/dialog.tsx';

const keys: readonly { where: string; keys: readonly [string, string][] }[] = [
  {
    where: 'Everywhere',
    keys: [
      ['n', 'Claim the submission that has waited longest, and open it'],
      ['?', 'Show these keys'],
    ],
  },
  {
    where: 'In lists',
    keys: [
      ['j', 'Next line'],
      ['k', 'Previous line'],
      ['Enter', 'Open the line'],
    ],
  },
  {
    where: 'At a submission',
    keys: [
      ['c', 'Claim it, or renew your claim'],
      ['x', 'Release your claim'],
      ['a', 'Approve it and claim the next one'],
      ['r', 'Reject it: choose reasons'],
      ['1 – 9', 'Tick a reason, while the reasons are open'],
      ['m', 'Write to the developer'],
      ['Ctrl or ⌘ + Enter', 'Send what you write'],
      ['Escape', 'Close the reasons; what you wrote is kept'],
      ['q', 'Back to the queue'],
    ],
  },
];

/** Lists the keys of the desk. */
export const KeysHelp = ({ onClose }: { onClose: () => void }) => (
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
