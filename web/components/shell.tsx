import { Component, type ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation, useSearch } from 'wouter-preact';
import { useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { isServiceUp } from '../client/service.ts';
import { session } from '../client/session.ts';
import { pathOf, settings } from '../client/settings.ts';
import { useSignal } from '../client/signal.ts';
import { AccountMenu } from './account-menu.tsx';
import { Announcements } from './announcements.tsx';
import { Dialog } from './dialog.tsx';
import { Mark } from './icon.tsx';
import { SignInChoice, SignInDialog } from './sign-in.tsx';

/** A link in the header of an area. */
interface AreaPage {
  path: string;
  label: string;
  count?: number | undefined;
  /** Paths whose pages belong to this one, such as the apps of a list. */
  contains?: string | readonly string[];
}

interface ShellProps {
  name: string;
  pages?: readonly AreaPage[];
  children: ComponentChildren;
  footer?: ComponentChildren;
}

/** The frame of an area: its name, its pages, the account, and what concerns the whole page. */
export const Shell = ({ name, pages = [], children, footer }: ShellProps) => (
  <div class="shell">
    <a class="button skip" href="#main">
      Skip to content
    </a>
    <header>
      <Link class="brand" href="/">
        <Mark /> {name}
      </Link>
      <Places pages={pages} />
      <Account />
    </header>
    <Outage />
    <main id="main" tabIndex={-1}>
      <ErrorBoundary address={`${useLocation()[0]}?${useSearch()}`}>{children}</ErrorBoundary>
    </main>
    {footer}
    <ExpiredSession />
    <Announcements />
  </div>
);

/** The links to pages and areas. On a narrow screen they are a row that scrolls, with the current page in view. */
function Places({ pages }: { pages: readonly AreaPage[] }) {
  const element = useRef<HTMLDivElement>(null);
  const [path] = useLocation();
  // The console and the desk have nothing for others than the question to sign in, or the answer that the desk is not for them.
  const isAdministrator = useIsAdministrator();
  const isSignedIn = useSignal(session.state).kind !== 'signed-out';
  const isForPerson = { market: true, console: isSignedIn, desk: isAdministrator !== false }[settings.area];
  const hasPages = pages.length > 0 && isForPerson;
  const counts = pages.map(({ count }) => count).join();
  useEffect(() => {
    element.current
      ?.querySelector('[aria-current]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    // Another path has another link, and counts that are read later move the links.
  }, [path, counts]);
  return (
    <div class="places" ref={element}>
      {hasPages && (
        <nav aria-label="Pages">
          {pages.map((page) => (
            <PageLink key={page.path} {...page} />
          ))}
        </nav>
      )}
      <OtherAreas />
    </div>
  );
}

function PageLink({ path, label, count, contains = path }: AreaPage) {
  const [current] = useLocation();
  const isPage = current === path;
  const isWithin = [contains].flat().some((each) => `${current}/`.startsWith(`${each}/`));
  return (
    <Link
      href={path}
      {...((isPage || isWithin) && { 'aria-current': isPage ? ('page' as const) : ('true' as const) })}
    >
      {label} {!!count && <span class="count">{count}</span>}
    </Link>
  );
}

const AREAS = { market: 'Marketplace', console: 'For developers', desk: 'Review desk' } as const;

/** The person who is signed in. */
export const Viewer = graphql(`
  query ShellViewer {
    viewer { accountUserId isAdministrator name }
  }
`);

/** Returns whether the person is an administrator; undefined until it is known. */
function useIsAdministrator(): boolean | undefined {
  const isSignedIn = useSignal(session.state).kind !== 'signed-out';
  const { data } = useData(Viewer, {}, { pause: !isSignedIn });
  return isSignedIn && data?.viewer?.isAdministrator;
}

/** The links to the other areas: in the header, or where that is narrow in the menu of the account. The desk is shown to administrators only. */
function OtherAreas() {
  const isAdministrator = useIsAdministrator();
  return (
    <nav class="areas" aria-label="Areas">
      {(['market', 'console', 'desk'] as const)
        .filter((area) => area !== settings.area && (area !== 'desk' || isAdministrator))
        .map((area) => (
          <a key={area} href={pathOf(`/${area}`)}>
            {AREAS[area]}
          </a>
        ))}
    </nav>
  );
}

function Account() {
  const state = useSignal(session.state);
  // After a failed sign-in at the provider the dialog opens at once, with the reason.
  const [isSigningIn, setIsSigningIn] = useState(session.canSignIn && session.failure.value !== null);
  // The console and the desk are nothing but a question to sign in.
  if (state.kind === 'signed-out')
    return settings.area !== 'market' ? null : (
      <div class="account-menu">
        <button type="button" onClick={() => setIsSigningIn(true)}>
          Sign in
        </button>
        {isSigningIn && <SignInDialog onClose={() => setIsSigningIn(false)} />}
      </div>
    );
  return (
    <AccountMenu name={state.account.name}>
      <OtherAreas />
    </AccountMenu>
  );
}

const Outage = () => (
  <div role="status">
    {!useSignal(isServiceUp) && (
      <div class="outage">
        The service cannot be reached. This page tries again by itself; your text is kept.
      </div>
    )}
  </div>
);

/** Asks to sign in again. The page below stays as it is. */
function ExpiredSession() {
  const state = useSignal(session.state);
  if (state.kind !== 'expired') return null;
  return (
    <Dialog title="Your sign-in has expired" onClose={() => void session.signOut()}>
      <p>Sign in again to continue. What you have written is kept.</p>
      <SignInChoice />
    </Dialog>
  );
}

/** Sets the title of the window. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}

interface ErrorBoundaryProps {
  address: string;
  children: ComponentChildren;
}

/** Shows that a page has failed, instead of nothing, until another address is opened. */
class ErrorBoundary extends Component<ErrorBoundaryProps, { failure: string | null }> {
  override state = { failure: null };

  static override getDerivedStateFromError(error: unknown) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }

  override componentDidUpdate({ address }: ErrorBoundaryProps) {
    if (this.state.failure !== null && address !== this.props.address) this.setState({ failure: null });
  }

  override render() {
    if (this.state.failure === null) return this.props.children;
    return (
      <div class="note bad" role="alert">
        <p>Something went wrong on this page. If it happens again, tell support: {this.state.failure}</p>
        <button type="button" onClick={() => location.reload()}>
          Reload the page
        </button>
      </div>
    );
  }
}
