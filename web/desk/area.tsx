import { useState } from 'preact/hooks';
import { Route, Switch } from 'wouter-preact';
import { useKeys } from '../components/keys.ts';
import { Shell } from '../components/shell.tsx';
import { SignedIn } from '../components/sign-in.tsx';
import { Empty } from '../components/status.tsx';
import { Administrators } from './administrators.tsx';
import { useClaimNext } from './claim-next.tsx';
import { KeysHelp } from './keys-help.tsx';
import { LiveQueue, useReviewCounts } from './live-queue.tsx';
import { QueuePage } from './queue.tsx';
import { ReviewPage } from './review.tsx';
import './desk.css';

/** The desk of administrators. */
export const Area = () => (
  <DeskShell>
    <SignedIn reason="The desk is for administrators of the marketplace.">
      <Administrators>
        <LiveQueue />
        <DeskKeys />
        <Switch>
          <Route path="/" component={QueuePage} />
          <Route path="/reviews/:id">{({ id }) => <ReviewPage key={id} id={id} />}</Route>
          <Route>
            <Empty>There is no such page.</Empty>
          </Route>
        </Switch>
      </Administrators>
    </SignedIn>
  </DeskShell>
);

function DeskShell({ children }: { children: preact.ComponentChildren }) {
  const counts = useReviewCounts();
  const pages = [{ path: '/', label: 'Queue', count: counts?.total }];
  return (
    <Shell name="Review desk" pages={pages}>
      {children}
    </Shell>
  );
}

/** The keys that work on every page of the desk. */
function DeskKeys() {
  const [isHelpShown, setIsHelpShown] = useState(false);
  const { claimNext } = useClaimNext();
  useKeys({ n: () => void claimNext(), '?': () => setIsHelpShown(true) });
  return isHelpShown ? <KeysHelp onClose={() => setIsHelpShown(false)} /> : null;
}
