// The member of an object by a name from outside: one like `constructor` is none, and yet something of every object.

export function memberOf<T>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
