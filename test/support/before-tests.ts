import { afterAll, afterEach, beforeAll } from '@jest/globals';

interface Closable {
  close(): unknown;
}

/** Closes what duringTests() has opened, the latest last. */
const closings: (() => unknown)[] = [];

/** Makes an object before the tests of this file, or of this `describe`. Tests and hooks can use it; what runs earlier cannot. */
export function beforeTests<T extends object>(make: () => T | Promise<T>): T {
  let made: T | null = null;
  beforeAll(async () => {
    made = await make();
  });
  return standIn(() => {
    if (!made) throw new Error('A test or a hook can use this object: it is not made before.');
    return made;
  });
}

/** As beforeTests(), and closes the object after these tests: the one that was opened last is closed first. */
export function duringTests<T extends Closable>(open: () => T | Promise<T>): T;
export function duringTests<T extends object>(open: () => T | Promise<T>, close: (object: T) => unknown): T;
export function duringTests<T extends Closable>(
  open: () => T | Promise<T>,
  close = (object: T) => object.close(),
): T {
  const object = beforeTests(async () => {
    const made = await open();
    closings.push(() => close(made));
    return made;
  });
  afterAll(async () => {
    await closings.pop()?.();
  });
  return object;
}

/** Returns a function that notes objects, which are closed after each test: the one that was noted last is closed first. */
export function closedAfterEach(): <T extends AsyncDisposable>(object: T) => T {
  const noted: AsyncDisposable[] = [];
  afterEach(async () => {
    for (const object of noted.splice(0).toReversed()) await object[Symbol.asyncDispose]();
  });
  return (object) => {
    noted.push(object);
    return object;
  };
}

/** An object that does whatever the object does that `find` returns. */
function standIn<T extends object>(find: () => T): T {
  return new Proxy<T>({} as T, {
    get: (_, name) => {
      const found = find();
      const value = Reflect.get(found, name, found);
      return typeof value === 'function' ? value.bind(found) : value;
    },
    set: (_, name, value) => Reflect.set(find(), name, value),
    has: (_, name) => Reflect.has(find(), name),
    ownKeys: () => Reflect.ownKeys(find()),
    getPrototypeOf: () => Reflect.getPrototypeOf(find()),
    getOwnPropertyDescriptor: (_, name) => {
      const described = Reflect.getOwnPropertyDescriptor(find(), name);
      return described && { ...described, configurable: true };
    },
  });
}
