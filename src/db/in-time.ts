/** Waits for work for a time, and then returns or throws what `late` does. The work goes on. */
export function inTime<T>(work: Promise<T>, ms: number, late: () => T | Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(Promise.resolve().then(late)), ms).unref();
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
