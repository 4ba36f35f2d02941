import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, Route, Switch, useLocation, useRoute } from 'wouter-preact';
import { useData, useEvents } from '../client/data.ts';
import { pathOf } from '../client/settings.ts';
import { Badge, StatusBadge, wordsOf } from '../components/badge.tsx';
import { Logo } from '../components/picture.tsx';
import { Loaded } from '../components/status.tsx';
import { AnalyticsPage } from './analytics.tsx';
import { AppChanged, type AppData, AppQuery } from './app-data.ts';
import { useDeveloper } from './developer.tsx';
import { ListingPage } from './listing-page.tsx';
import { NotFound } from './not-found.tsx';
import { PipelinesPage } from './pipelines.tsx';
import { useReloadAfter } from './reload-after.ts';
import { VersionPage } from './version-page.tsx';

/** The pages of one app: its listing, its new version and its figures. They follow every change of it, and of its place in the queue. */
export function AppPages({ params: { id } }: { params: { id: string } }) {
  const app = useData(AppQuery, { id });
  const [events, setEvents] = useState(0);
  useEvents(AppChanged, { id }, () => {
    setEvents((count) => count + 1);
    app.reload();
  });
  // The service reports no changes of developers, but the verification decides what the app allows.
  useReloadAfter(useDeveloper().status, app.reload);
  if (app.problems.some(({ code }) => code === 'NOT_FOUND')) return <NotFound what="app" />;
  return (
    <Loaded from={app}>
      {({ myApp }) =>
        myApp ? (
          <div class="stack">
            <AppHeader app={myApp} />
            <Switch>
              <Route path="/apps/:id">
                <ListingPage key={id} app={myApp} events={events} />
              </Route>
              <Route path="/apps/:id/version">
                <VersionPage key={id} app={myApp} events={events} />
              </Route>
              <Route path="/apps/:id/analytics">
                <AnalyticsPage key={id} app={myApp} events={events} />
              </Route>
              <Route path="/apps/:id/pipelines">
                <PipelinesPage key={id} app={myApp} />
              </Route>
              <Route>
                <NotFound />
              </Route>
            </Switch>
          </div>
        ) : (
          <NotFound what="app" />
        )
      }
    </Loaded>
  );
}

function AppHeader({ app }: { app: AppData }) {
  const base = `/apps/${app.id}`;
  return (
    <header class="app-header">
      <Logo url={app.logoUrl} name={app.name} />
      <div>
        <h1 dir="auto">{app.name}</h1>
        <p class="row">
          <StatusBadge status={app.status} />
          {app.featured && <Badge value="STAFF_PICK" />}
          <span class="badge">{wordsOf(app.environment)}</span>
          {app.status === 'APPROVED' && (
            <a href={pathOf(`/market/apps/${app.slug}`)}>View in the marketplace</a>
          )}
        </p>
      </div>
      <Tabs>
        <Tab href={base} label="Listing" />
        {app.approvedAt && (
          <Tab href={`${base}/version`} label={app.openVersion ? 'New version •' : 'New version'} />
        )}
        <Tab href={`${base}/analytics`} label="Analytics" />
        <Tab href={`${base}/pipelines`} label="Pipelines" />
      </Tabs>
    </header>
  );
}

/** A row of links that scrolls where it does not fit, with the current page in view. */
function Tabs({ children }: { children: ComponentChildren }) {
  const element = useRef<HTMLElement>(null);
  const [path] = useLocation();
  useEffect(() => {
    element.current
      ?.querySelector('[aria-current]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  }, [path]);
  return (
    <nav aria-label="Pages of the app" class="tabs" ref={element}>
      {children}
    </nav>
  );
}

function Tab({ href, label }: { href: string; label: string }) {
  const [isCurrent] = useRoute(href);
  return (
    <Link href={href} {...(isCurrent && { 'aria-current': 'page' as const })}>
      {label}
    </Link>
  );
}
