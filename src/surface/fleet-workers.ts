// Workers of a surface that has a fleet: it makes runs and hands them on instead of working itself.
import type { Workers } from "./own-workers.ts";

/** The verbs that can hand their work on, by their field `detach`. */
const HANDED_ON: ReadonlySet<string> = new Set(["start", "resume"]);

export function handingOn(workers: Workers): Workers {
  return {
    ask: (...args) => workers.ask(...args),
    begin: (verb, said, onEvent) =>
      workers.begin(verb, HANDED_ON.has(verb) ? { ...said, detach: true } : said, onEvent),
  };
}
