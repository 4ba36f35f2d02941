import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Loading } from './status.tsx';

interface LaterProps<P> {
  load: () => Promise<ComponentType<P>>;
  props: P;
}

/** Shows a component whose script is loaded when it is first needed. */
export function Later<P extends object>({ load, props }: LaterProps<P>) {
  const [Loaded, setLoaded] = useState<ComponentType<P> | null>(null);
  useEffect(() => {
    void load().then((component) => setLoaded(() => component));
  }, [load]);
  return Loaded ? <Loaded {...props} /> : <Loading />;
}
