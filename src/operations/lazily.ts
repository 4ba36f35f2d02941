/** Returns an object with the properties of `known`; the others are those of `create`, called when the first of them is used. */
export function lazily<T extends object>(known: Partial<T>, create: () => T): T {
  let created: T | null = null;
  return new Proxy({} as T, {
    get(_, name) {
      if (name in known) return Reflect.get(known, name) as unknown;
      created ??= create();
      return Reflect.get(created, name) as unknown;
    },
  });
}
