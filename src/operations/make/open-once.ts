// Corpora that are opened once per process: `start` reads the folders to make a run, and works on it right after.
import type { Ports } from "../../ports/ports.ts";
import type { OpenCorpora } from "../../ports/provider.ts";
import { replaced } from "../../kernel/replaced.ts";

/** The same ports, except that the same folders are opened once, and closed when these ports are disposed of. */
export function openingOnce(ports: Ports): Ports & Disposable {
  const opened = new Map<string, Awaited<ReturnType<OpenCorpora>>>();
  const openCorpora: OpenCorpora = async (folders, options) => {
    const key = JSON.stringify([folders.map(({ name, path }) => [name, path]), options.wanted]);
    const known = opened.get(key) ?? (await ports.openCorpora(folders, options));
    opened.set(key, known);
    // A user that is done closes it; for the next user it stays open.
    return { provider: replaced(known.provider, { close: () => {} }), reports: known.reports };
  };
  return {
    ...ports,
    openCorpora,
    [Symbol.dispose]() {
      for (const { provider } of opened.values()) provider.close();
    },
  };
}
