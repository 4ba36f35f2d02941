import { Route, Switch } from 'wouter-preact';
import { pathOf } from '../client/settings.ts';
import { useSignal } from '../client/signal.ts';
import { useTopOfPage } from '../components/navigation.ts';
import { Shell } from '../components/shell.tsx';
import { SignedIn } from '../components/sign-in.tsx';
import { AppPages } from './app-page.tsx';
import { AppsPage } from './apps.tsx';
import { ForDevelopers } from './developer.tsx';
import { KeyChangesPage } from './key-changes.tsx';
import { KeysPage } from './keys.tsx';
import { NewAppPage } from './new-app.tsx';
import { ProfilePage } from './profile.tsx';
import { isAtRegistration } from './register.tsx';
import { WebhookDeliveriesPage, WebhooksPage } from './webhooks.tsx';
import './console.css';
import { NotFound } from './not-found.tsx';

const pages = [
  { path: '/', label: 'Apps', contains: ['/apps', '/new'] },
  { path: '/keys', label: 'API keys' },
  { path: '/webhooks', label: 'Webhooks' },
  { path: '/profile', label: 'Profile' },
];

const Footer = () => (
  <footer>
    <a href={pathOf('/docs')}>API reference</a>
    <a href={pathOf('/market')}>Marketplace</a>
  </footer>
);

/** The console of developers. */
export function Area() {
  useTopOfPage();
  return (
    <Shell name="Developer console" pages={useSignal(isAtRegistration) ? [] : pages} footer={<Footer />}>
      <SignedIn reason="The console is for developers: publish apps, follow their review, and see how they are used.">
        <ForDevelopers>
          <Switch>
            <Route path="/" component={AppsPage} />
            <Route path="/new" component={NewAppPage} />
            <Route path="/apps/:id/*?" component={AppPages} />
            <Route path="/keys" component={KeysPage} />
            <Route path="/keys/:id/changes" component={KeyChangesPage} />
            <Route path="/webhooks" component={WebhooksPage} />
            <Route path="/webhooks/:id" component={WebhookDeliveriesPage} />
            <Route path="/profile" component={ProfilePage} />
            <Route>
              <NotFound />
            </Route>
          </Switch>
        </ForDevelopers>
      </SignedIn>
    </Shell>
  );
}
