// The command line as processes of their own, each killed once it has begun to change the run, and given again.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { PROGRAM } from "../program.ts";

export interface Ended {
  code: number | null;
  said: string;
}

export interface Place {
  /** The home of whoever gives the commands. */
  home: string;
  runRoot: string;
}

/** What stands in the run, so that a change of it is seen. */
function shownIn(runRoot: string): string {
  try {
    const { size } = statSync(join(runRoot, "journal.jsonl"));
    return [size, ...readdirSync(runRoot)].join(" ");
  } catch {
    return "";
  }
}

function spawned({ home }: Place, words: readonly string[], input: string) {
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, NO_COLOR: "1" };
  const stdin = new TextEncoder().encode(input);
  return Bun.spawn([...PROGRAM, ...words], { env, stdin, stdout: "pipe", stderr: "pipe" });
}

export async function given(place: Place, words: readonly string[], input = ""): Promise<Ended> {
  const child = spawned(place, words, input);
  const [said, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, said: said + errors };
}

/** Waits until so many changes of the run were seen, or for nothing any more. */
export async function onceChanged({ runRoot }: Place, wanted = 1, isOver = (): boolean => false): Promise<void> {
  let seen = shownIn(runRoot);
  for (let changes = 0; !isOver() && changes < wanted;) {
    await Bun.sleep(1);
    const now = shownIn(runRoot);
    if (now === seen) continue;
    seen = now;
    changes++;
  }
}

const MOST_CHANGES = 3;
let kills = 0;

/**
 * Gives the command and kills it behind one, two or three changes of the run, in turn, or when it has ended by itself; then
 * gives it again and lets it end.
 */
export async function givenThroughKill(place: Place, words: readonly string[], input = ""): Promise<Ended> {
  const wanted = 1 + (kills++ % MOST_CHANGES);
  const child = spawned(place, words, input);
  await onceChanged(place, wanted, () => child.exitCode !== null);
  child.kill("SIGKILL");
  await child.exited;
  return await given(place, words, input);
}
