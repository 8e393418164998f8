// Reads a member of an object by a name from outside. Names that every object inherits, such as `constructor`, are no members.

export function memberOf<T>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
