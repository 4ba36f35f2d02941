import { Provider } from '@urql/preact';
import { type ComponentType, render } from 'preact';
import { useMemo } from 'preact/hooks';
import { Router } from 'wouter-preact';
import { createClient } from '../client/client.ts';
import { noteShown, returnToPlace } from '../client/place.ts';
import { session } from '../client/session.ts';
import { pathOf, settings } from '../client/settings.ts';
import { useSignal } from '../client/signal.ts';
import './style.css';
import './parts.css';
// The script of charts is loaded when it is needed; its style sheet would not come with it.
import 'uplot/dist/uPlot.min.css';

/** Starts an area in the page that the service has sent. */
export async function start(Area: ComponentType): Promise<void> {
  await session.open();
  const root = document.getElementById('root')!;
  const sent = document.getElementById('page');
  if (sent) replaceWhenLoaded(sent, root);
  render(<Application area={Area} />, root);
}

const MAX_WAIT_MS = 2_000;

/** Keeps the page that the service has sent until the script has read what it shows, so that nothing flickers. */
function replaceWhenLoaded(sent: HTMLElement, root: HTMLElement): void {
  root.classList.add('waiting');
  const replace = () => {
    observer.disconnect();
    clearTimeout(timer);
    sent.remove();
    root.classList.remove('waiting');
    noteShown();
  };
  const observer = new MutationObserver(() => {
    if (root.firstChild && !root.querySelector('.loading, .skeleton')) replace();
  });
  const timer = setTimeout(replace, MAX_WAIT_MS);
  observer.observe(root, { childList: true, subtree: true });
}

/** Another account gets another client, and with it an empty cache. An expired session keeps both. */
function Application({ area: Area }: { area: ComponentType }) {
  const state = useSignal(session.state);
  const account = state.kind === 'signed-out' ? '' : state.account.id;
  // The account is the reason for another client.
  const client = useMemo(() => {
    if (account) returnToPlace();
    return createClient();
  }, [account]);
  return (
    <Provider value={client}>
      <Router base={pathOf(`/${settings.area}`)}>
        <Area key={account} />
      </Router>
    </Provider>
  );
}
