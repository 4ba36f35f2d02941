import { useState } from 'preact/hooks';
import { useChange } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import type { Problem } from '../client/problems.ts';
import { settings } from '../client/settings.ts';
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
    readonly installCount: number;
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
      Install
    </a>
    <Installs count={app.installCount}>
      You continue in your workspace. There you choose where to add the app, and confirm it.
    </Installs>
  </div>
);

/** The number of installs, and what the button does or has done. */
const Installs = ({ count, children }: { count: number; children: string }) => (
  <div>
    <p>
      <strong>{number.format(count)}</strong> {count === 1 ? 'install' : 'installs'}
    </p>
    <small role="status">{children}</small>
  </div>
);

/** Records an install, as the host product does when it has installed an app. A browser counts once for each app. */
function CountInstall({ app: { slug, installCount }, onInstalled }: InstallProps) {
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
    onInstalled();
  };
  // The count in lists may be some seconds old.
  const installs = Math.max(installCount, counted);
  return (
    <div class="install">
      <button type="button" class="primary" disabled={isDone || isRecording} onClick={install}>
        {isDone ? 'Installed' : 'Install'}
      </button>
      <Installs count={installs}>
        {isDone
          ? 'Your install is counted: now add the app in your workspace to use it.'
          : 'This counts the install, once per browser. You add the app itself in your workspace.'}
      </Installs>
      <Problems problems={problems} />
    </div>
  );
}
