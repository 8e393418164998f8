// Kills a process with SIGKILL while it works on a live run: around a record, or inside a tool.
import type { Driver, Tool } from "../../src/ports/driver.ts";
import type { Ports } from "../../src/ports/ports.ts";
import type { RunLog, RunWriter } from "../../src/ports/run-log.ts";
import type { RecordDraft, RecordKind } from "../../src/run/log/record.ts";
import { liveDriver } from "../../src/drivers/live.ts";
import { changed, withWriters } from "../simulation/changed.ts";
import { RISKY_TOOL } from "./risky-model.ts";

export type Crash =
  /** Before or after the n-th commit that holds a record of the kind (of a message: with this role; of a step: with this key). */
  | { at: "before" | "after"; kind: RecordKind; role?: string; key?: string; nth: number }
  /** When the n-th call of the tool has done its work and nobody has written that down. */
  | { at: "inside"; tool: string; nth: number };

export interface CrashingOptions {
  crash?: Crash | undefined;
  /** Where the risky tool does its work: whoever is there counts. */
  riskyUrl: string;
  /** The guards that controls take out. */
  callsRiskySafe?: boolean;
  dropsRequests?: boolean;
}

/** The ports of a process with a risky tool in hand, that dies where it is told to. */
export function crashingPorts(ports: Ports, options: CrashingOptions): Ports {
  return { ...ports, store: crashingStore(ports.store, options), loadDriver: async () => crashingDriver(options) };
}

function dieWhen(isDue: () => boolean): () => Promise<void> {
  return async () => {
    if (!isDue()) return;
    process.kill(process.pid, "SIGKILL");
    await new Promise(() => {});
  };
}

function counting(wanted: number): () => boolean {
  let count = 0;
  return () => ++count === wanted;
}

function crashingStore(store: RunLog, { crash, dropsRequests = false }: CrashingOptions): RunLog {
  const isInJournal = crash !== undefined && crash.at !== "inside";
  const die = dieWhen(isInJournal ? counting(crash.nth) : () => false);
  const isMeant = (drafts: readonly RecordDraft[]): boolean =>
    isInJournal &&
    drafts.some(({ kind, data }) => {
      const { role, key } = data as { role?: string; key?: string };
      const isOf = (wanted: string | undefined, found: string | undefined) => wanted === undefined || wanted === found;
      return kind === crash.kind && isOf(crash.role, role) && isOf(crash.key, key);
    });
  const commit = async (writer: RunWriter, ...[given, options]: Parameters<RunWriter["commit"]>) => {
    const drafts = dropsRequests ? given.filter(({ kind }) => kind !== "tool.requested") : given;
    if (crash?.at === "before" && isMeant(drafts)) await die();
    const written = await writer.commit(drafts, options);
    if (crash?.at === "after" && isMeant(drafts)) await die();
    return written;
  };
  return withWriters(store, (writer) =>
    changed(writer, { commit: (drafts, options) => commit(writer, drafts, options) }),
  );
}

function crashingDriver({ crash, riskyUrl, callsRiskySafe = false }: CrashingOptions): Driver {
  const isInside = crash?.at === "inside";
  const die = dieWhen(isInside ? counting(crash.nth) : () => false);
  const watched = (tool: Tool): Tool => ({
    ...tool,
    async run(args) {
      const answer = await tool.run(args);
      if (isInside && tool.description.name === crash.tool) await die();
      return answer;
    },
  });
  const risky: Tool = {
    description: RISKY_TOOL,
    isSafe: () => callsRiskySafe,
    async run(args) {
      await fetch(riskyUrl, { method: "POST", body: args });
      return { content: "posted", is_error: false };
    },
  };
  return {
    ...liveDriver,
    perform: async (kind, input, tools) =>
      await liveDriver.perform(kind, input, {
        ...tools,
        converse: async (given) => {
          const own = given.role === "researcher" ? [...given.tools, risky] : given.tools;
          return await tools.converse({ ...given, tools: own.map(watched) });
        },
      }),
  };
}
