// The same object with some members replaced.

/** The result can do all that the original can, also what is added to it later; a wrapper by hand would forget that. */
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
