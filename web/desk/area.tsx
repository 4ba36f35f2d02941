import { Link, Route, Switch } from 'wouter-preact';
import { useKeys } from '../components/keys.ts';
import { useTopOfPage } from '../components/navigation.ts';
import { NotFound } from '../components/not-found.tsx';
import { Shell } from '../components/shell.tsx';
import { SignedIn } from '../components/sign-in.tsx';
import { Administrators } from './administrators.tsx';
import { AppPage } from './app.tsx';
import { AppReportsPage } from './app-reports.tsx';
import { AppsPage } from './apps.tsx';
import { AuditPage } from './audit.tsx';
import { useClaimNext } from './claim-next.tsx';
import { DecisionBar } from './decision-bar.tsx';
import { DeveloperPage } from './developer.tsx';
import { DevelopersPage } from './developers.tsx';
import { FiguresPage } from './figures.tsx';
import { KeysHelp } from './keys-help.tsx';
import { LiveQueue, useOtherWork, useReviewCounts } from './live-queue.tsx';
import { QueuePage } from './queue.tsx';
import { RatingsPage } from './ratings.tsx';
import { ReviewPage } from './review.tsx';
import { useReleaseOnLeaving } from './untouched-claims.ts';
import { WebhookDeliveriesPage, WebhooksPage } from './webhooks.tsx';
import './desk.css';

/** The desk of administrators. */
export const Area = () => (
  <DeskShell>
    <SignedIn reason="The desk is for administrators of the marketplace.">
      <Administrators>
        <LiveQueue />
        <DeskKeys />
        <DecisionBar />
        <Switch>
          <Route path="/" component={QueuePage} />
          <Route path="/reviews/:id">{({ id }) => <ReviewPage key={id} id={id} />}</Route>
          <Route path="/developers" component={DevelopersPage} />
          <Route path="/developers/:id">{({ id }) => <DeveloperPage key={id} id={id} />}</Route>
          <Route path="/apps" component={AppsPage} />
          <Route path="/apps/reports" component={AppReportsPage} />
          <Route path="/apps/:id">{({ id }) => <AppPage key={id} id={id} />}</Route>
          <Route path="/ratings" component={RatingsPage} />
          <Route path="/audit" component={AuditPage} />
          <Route path="/figures" component={FiguresPage} />
          <Route path="/webhooks" component={WebhooksPage} />
          <Route path="/webhooks/:id">{({ id }) => <WebhookDeliveriesPage key={id} id={id} />}</Route>
          <Route>
            <NotFound area="Review desk">
              <Link href="/">Go to the queue</Link>
            </NotFound>
          </Route>
        </Switch>
      </Administrators>
    </SignedIn>
  </DeskShell>
);

function DeskShell({ children }: { children: preact.ComponentChildren }) {
  useTopOfPage();
  const counts = useReviewCounts();
  const { developers, reports, ratings } = useOtherWork();
  const pages = [
    { path: '/', label: 'Queue', count: counts?.total, contains: '/reviews' },
    { path: '/developers', label: 'Developers', count: developers },
    { path: '/apps', label: 'Apps', count: reports },
    { path: '/ratings', label: 'Ratings', count: ratings },
    { path: '/audit', label: 'Audit log' },
    { path: '/figures', label: 'Figures' },
    { path: '/webhooks', label: 'Webhooks' },
  ];
  return (
    <Shell name="Review desk" pages={pages}>
      {children}
    </Shell>
  );
}

/** The keys that work on every page of the desk. */
function DeskKeys() {
  const { claimNext } = useClaimNext();
  useKeys({ n: () => void claimNext() });
  useReleaseOnLeaving();
  return <KeysHelp />;
}
