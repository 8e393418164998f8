// The same files, or the same open file, with some of their calls done otherwise: how a guard is taken out.
import type { FileHandle, Files } from "../../src/ports/files.ts";

/** The calls that are not replaced keep their own `this`. */
export function changed<T extends Files | FileHandle>(original: T, replaced: Partial<T>): T {
  return new Proxy(original, {
    get(target, name) {
      const own = replaced[name as keyof T];
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
