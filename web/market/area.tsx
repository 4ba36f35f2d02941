import { Shell } from '../components/shell.tsx';
import { Empty } from '../components/status.tsx';

const pages = [{ path: '/', label: 'Discover' }];

/** The storefront. */
export const Area = () => (
  <Shell name="Marketplace" pages={pages}>
    <Empty>Apps will be here.</Empty>
  </Shell>
);
