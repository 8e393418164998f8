// The same object with some members replaced.

/** Whatever the original can do, now or one day, the result can: what a wrapper forgets, nobody misses until it is wanted. */
export function replaced<T extends object>(original: T, members: Partial<T>): T {
  return new Proxy(original, {
    get(target, name) {
      const own = members[name as keyof T];
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
