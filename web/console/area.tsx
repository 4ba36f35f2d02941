import { Shell } from '../components/shell.tsx';
import { SignedIn } from '../components/sign-in.tsx';
import { Empty } from '../components/status.tsx';

const pages = [{ path: '/', label: 'Apps' }];

/** The console of developers. */
export const Area = () => (
  <Shell name="Developer console" pages={pages}>
    <SignedIn reason="The console is for developers of apps.">
      <Empty>Your apps will be here.</Empty>
    </SignedIn>
  </Shell>
);
