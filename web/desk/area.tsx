import { Route, Switch } from 'wouter-preact';
import { Shell } from '../components/shell.tsx';
import { SignedIn } from '../components/sign-in.tsx';
import { Empty } from '../components/status.tsx';
import { QueuePage } from './queue.tsx';

const pages = [{ path: '/', label: 'Queue' }];

/** The desk of administrators. */
export const Area = () => (
  <Shell name="Review desk" pages={pages}>
    <SignedIn reason="The desk is for administrators of the marketplace.">
      <Switch>
        <Route path="/" component={QueuePage} />
        <Route>
          <Empty>There is no such page.</Empty>
        </Route>
      </Switch>
    </SignedIn>
  </Shell>
);
