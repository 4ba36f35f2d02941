import { useEffect, useState } from 'preact/hooks';

/** A value that components can follow. */
export class Signal<T> {
  private readonly listeners = new Set<(value: T) => void>();

  constructor(private current: T) {}

  get value(): T {
    return this.current;
  }

  set value(value: T) {
    if (value === this.current) return;
    this.current = value;
    for (const listener of this.listeners) listener(value);
  }

  /** Calls the listener with every new value, until the returned function is called. */
  follow(listener: (value: T) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/** Returns the value of a signal, and renders the component again when it changes. */
export function useSignal<T>(signal: Signal<T>): T {
  const [value, setValue] = useState(signal.value);
  useEffect(() => {
    setValue(() => signal.value);
    return signal.follow((next) => setValue(() => next));
  }, [signal]);
  return value;
}
