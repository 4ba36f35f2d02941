import { useState } from 'preact/hooks';
import { useChange } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import type { Problem } from '../client/problems.ts';
import { announce } from '../components/announcements.tsx';
import { Problems } from '../components/status.tsx';
import { installationId, isInstalled, noteInstall } from './installation.ts';

const RecordInstall = graphql(`
  mutation MarketInstall($slug: String!, $input: RecordInstallInput) {
    recordInstall(slug: $slug, input: $input) { slug installCount }
  }
`);

const number = new Intl.NumberFormat('en');

interface InstallProps {
  app: { readonly slug: string; readonly name: string; readonly installCount: number };
  onInstalled: () => void;
}

/** Records an install, as the host product does when it has installed an app. A browser counts once for each app. */
export function Install({ app: { slug, name, installCount }, onInstalled }: InstallProps) {
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
    announce(`${name} is installed.`);
    onInstalled();
  };
  // The count in lists may be some seconds old.
  const installs = Math.max(installCount, counted);
  return (
    <div class="install">
      <button type="button" class="primary" disabled={isDone || isRecording} onClick={install}>
        {isDone ? 'Installed' : 'Install'}
      </button>
      <p>
        <strong>{number.format(installs)}</strong> {installs === 1 ? 'install' : 'installs'}
      </p>
      <small>
        {isDone
          ? 'Open it in your workspace. This browser is counted once.'
          : 'The app is added in your workspace. We only count the install, once per browser.'}
      </small>
      <Problems problems={problems} />
    </div>
  );
}
