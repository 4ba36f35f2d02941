import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useChange } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import type { Problem } from '../client/problems.ts';
import { settings } from '../client/settings.ts';
import { Icon } from '../components/icon.tsx';
import { Problems } from '../components/status.tsx';
import { installationId, isInstalled, noteInstall } from './installation.ts';

const RecordInstall = graphql(`
  mutation MarketInstall($slug: String!, $input: RecordInstallInput) {
    recordInstall(slug: $slug, input: $input) { slug installCount }
  }
`);

const number = new Intl.NumberFormat('en');

interface InstallProps {
  app: {
    readonly id: string;
    readonly slug: string;
    readonly name: string;
    readonly installCount: number;
    readonly websiteUrl: string | null;
    readonly developer: { readonly websiteUrl: string | null };
  };
  onInstalled: () => void;
}

/** The way to install an app: a page of the host product, which counts the install, or a button that only counts it. */
export const Install = (props: InstallProps) =>
  settings.installUrl ? (
    <InstallLink app={props.app} url={settings.installUrl} />
  ) : (
    <CountInstall {...props} />
  );

const InstallLink = ({ app, url }: Pick<InstallProps, 'app'> & { url: string }) => (
  <div class="install">
    <a class="button primary" href={url.replace('{slug}', app.slug).replace('{id}', app.id)}>
      Open in your workspace
    </a>
    <Installs count={app.installCount}>There you choose where to add the app, and confirm it.</Installs>
  </div>
);

/** The number of installs, and what the button does or has done. */
const Installs = ({ count, children }: { count: number; children: ComponentChildren }) => (
  <div>
    <p>
      <strong>{number.format(count)}</strong> {count === 1 ? 'install' : 'installs'}
    </p>
    <small role="status">{children}</small>
  </div>
);

/**
 * Records an install, as the host product does when it has installed an app, and says what to do next. A browser counts
 * once for each app.
 */
function CountInstall({ app, onInstalled }: InstallProps) {
  const { slug, installCount } = app;
  const next = useRef<HTMLDivElement>(null);
  const [isDone, setIsDone] = useState(() => isInstalled(slug));
  const [counted, setCounted] = useState(0);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [record, isRecording] = useChange(RecordInstall);
  const install = async () => {
    const outcome = await record({ slug, input: { installationId: installationId() } });
    setProblems(outcome.problems);
    if (!outcome.data) return;
    setCounted(outcome.data.recordInstall.installCount);
    noteInstall(slug);
    setIsDone(true);
    // The button that had the focus is gone.
    next.current?.focus();
    onInstalled();
  };
  // The count in lists may be some seconds old.
  const installs = Math.max(installCount, counted);
  return (
    <div class="install" ref={next} tabIndex={-1}>
      {isDone ? (
        <Installed app={app} />
      ) : (
        <button type="button" class="primary" disabled={isRecording} onClick={install}>
          Install
        </button>
      )}
      <Installs count={installs}>
        {isDone ? <NextStep app={app} /> : 'You add it to your workspace in the next step.'}
      </Installs>
      <Problems problems={problems} />
    </div>
  );
}

/** The page that explains how to get the app to work: that of the app or of its developer, if there is one. */
const setUpUrl = ({ websiteUrl, developer }: InstallProps['app']) => websiteUrl ?? developer.websiteUrl;

/** Says that the app is installed, with the way to the next step. */
function Installed({ app }: Pick<InstallProps, 'app'>) {
  const url = setUpUrl(app);
  return (
    <div class="installed">
      <strong>
        <Icon name="done" /> Installed
      </strong>
      {url && (
        <a class="button primary" href={url} rel="noopener noreferrer nofollow" target="_blank">
          Add to your workspace <Icon name="external" />
        </a>
      )}
    </div>
  );
}

const NextStep = ({ app }: Pick<InstallProps, 'app'>) => {
  const url = setUpUrl(app);
  return url ? (
    <>Continue on {new URL(url).host}, which opens in a new tab.</>
  ) : (
    <>
      Next, add <bdi>{app.name}</bdi> in the settings of your workspace.
    </>
  );
};
