// Corpora that are opened once per process: `start` reads the folders to make a run, and works on it right after.
import type { Ports } from "../ports/ports.ts";
import type { OpenCorpora, Provider } from "../ports/provider.ts";

/** The same ports; the same folders are opened once, and closed when these ports are disposed of. */
export function openingOnce(ports: Ports): Ports & Disposable {
  const opened = new Map<string, Awaited<ReturnType<OpenCorpora>>>();
  const openCorpora: OpenCorpora = async (folders, options) => {
    const key = JSON.stringify([folders.map(({ name, path }) => [name, path]), options.wanted]);
    const known = opened.get(key) ?? (await ports.openCorpora(folders, options));
    opened.set(key, known);
    return { provider: keptOpen(known.provider), reports: known.reports };
  };
  return {
    ...ports,
    openCorpora,
    [Symbol.dispose]() {
      for (const { provider } of opened.values()) provider.close();
    },
  };
}

/** Whoever is done with it closes it; it stays open for the next. */
function keptOpen(provider: Provider): Provider {
  return {
    id: provider.id,
    search: async (query, limit, signal, perDocument) => await provider.search(query, limit, signal, perDocument),
    fetch: async (passage, signal) => await provider.fetch(passage, signal),
    ...(provider.open === undefined ? {} : { open: provider.open.bind(provider) }),
    ...(provider.declaredTools === undefined ? {} : { declaredTools: provider.declaredTools.bind(provider) }),
    ...(provider.answers === undefined ? {} : { answers: provider.answers.bind(provider) }),
    takeBlocked: () => provider.takeBlocked?.() ?? [],
    close: () => {},
  };
}
