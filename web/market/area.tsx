import { Route, Switch } from 'wouter-preact';
import { pathOf } from '../client/settings.ts';
import { useTopOfPage } from '../components/navigation.ts';
import { Shell } from '../components/shell.tsx';
import { AppPage } from './app-page.tsx';
import { DeveloperPage } from './developer-page.tsx';
import { DiscoverPage } from './discover.tsx';
import { MissingPage } from './missing.tsx';
import { Top } from './top.tsx';
import './market.css';

const Footer = () => (
  <footer>
    <a href={pathOf('/console')}>Publish an app</a>
    <a href={pathOf('/docs')}>API reference</a>
    <a href={pathOf('/market/new.atom')}>Feed of new apps</a>
  </footer>
);

/** The storefront. */
export function Area() {
  useTopOfPage();
  return (
    <Shell name="Marketplace" footer={<Footer />}>
      <Top />
      <Switch>
        <Route path="/" component={DiscoverPage} />
        <Route path="/apps/:slug">{({ slug }) => <AppPage key={slug} slug={slug} />}</Route>
        <Route path="/developers/:id" component={DeveloperPage} />
        <Route>
          <MissingPage />
        </Route>
      </Switch>
    </Shell>
  );
}
