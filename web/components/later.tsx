import type { ComponentType } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { OUTAGE_CODE, type Problem } from '../client/problems.ts';
import { isServiceUp } from '../client/service.ts';
import { Loaded } from './status.tsx';

interface LaterProps<P> {
  load: () => Promise<ComponentType<P>>;
  props: P;
}

const notLoaded: Problem = {
  code: OUTAGE_CODE,
  message: 'A part of this page could not be loaded. Try again, or reload the page.',
  details: [],
  extensions: {},
};

/** Shows a component whose script is loaded when it is first needed. */
export function Later<P extends object>({ load, props }: LaterProps<P>) {
  const [component, setComponent] = useState<ComponentType<P>>();
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const reload = useCallback(() => {
    setProblems([]);
    load().then(
      (loaded) => setComponent(() => loaded),
      () => setProblems([notLoaded]),
    );
  }, [load]);
  useEffect(() => {
    reload();
    return isServiceUp.follow((isUp) => isUp && reload());
  }, [reload]);
  return (
    <Loaded from={{ data: component, isLoading: false, problems, reload }}>
      {(Component) => <Component {...props} />}
    </Loaded>
  );
}
