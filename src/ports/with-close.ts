// A provider that is closed in another way, and is the same in all else.
import type { Provider } from "./provider.ts";

/** Whatever the provider can do, now or one day, the other can: what a wrapper forgets, nobody misses until it is wanted. */
export function withClose(provider: Provider, close: () => void): Provider {
  return new Proxy(provider, {
    get(target, key) {
      if (key === "close") return close;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
