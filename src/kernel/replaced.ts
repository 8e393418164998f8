// Makes an object like another one, with some members replaced.

/** The result has all members of the original, also those that are added to its type later. */
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
