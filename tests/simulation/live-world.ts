// A whole live run in the simulated world, and what has to hold of its conversations, its tools and its money.
import { conversationsOf } from "../../src/operations/look/conversations.ts";
import { isStrict } from "../run/strict.ts";
import type { AnyRecord } from "../../src/run/log/record.ts";
import { LiveOutside } from "./live-outside.ts";
import { DOCUMENTS, RUN_ROOT, RunWorld } from "./run-world.ts";

export function newLiveWorld(): RunWorld {
  return new RunWorld(undefined, new LiveOutside(DOCUMENTS));
}

export function outsideOf({ outside }: RunWorld): LiveOutside {
  if (!(outside instanceof LiveOutside)) throw new Error("a world without models");
  return outside;
}

/** The records of a run as a look finds them; none where there is no run. */
export async function recordsOf(world: RunWorld): Promise<AnyRecord[]> {
  const { ports, actor } = world.process("reader");
  const records = await ports.store.records(RUN_ROOT).catch(() => []);
  actor.kill();
  return records;
}

/** Replies that the journal holds: nobody pays for them again. */
export function repliesIn(records: readonly AnyRecord[]): number {
  return records.filter((record) => record.kind === "message.stored" && record.data.role === "assistant").length;
}

/** C1, C2, C3 and the ledger, once the run is done. */
export async function liveViolations(world: RunWorld): Promise<string[]> {
  const { ports, actor } = world.process("auditor");
  const violations: string[] = [];
  for (const { key, conversation, messages } of await conversationsOf(ports, { runRoot: RUN_ROOT }))
    // A partial report that was cut off is begun anew, by other conversations.
    if (!key.startsWith("report:") && !isStrict(messages))
      violations.push(`the conversation ${key}/${conversation} is not strict`);
  const { posted } = outsideOf(world);
  if (new Set(posted).size < posted.length) violations.push(`a risky tool was called twice: ${posted.join(" ")}`);
  const { usage } = (await ports.store.look(RUN_ROOT)).manifest;
  actor.kill();
  const records = await recordsOf(world);
  const settled = records.flatMap((record) => (record.kind === "usage.settled" ? [record.data] : []));
  const expected = {
    calls: records.filter(({ kind }) => kind === "usage.reserved").length,
    tokens: settled.reduce((sum, { tokens }) => sum + tokens, 0),
    reserved: 0,
    open: 0,
  };
  const found = {
    calls: usage.calls,
    tokens: usage.tokens,
    reserved: usage.reserved_usd + (usage.reserved_tokens ?? 0),
    open: usage.calls - settled.length,
  };
  if (JSON.stringify(found) !== JSON.stringify(expected))
    violations.push(`the ledger: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
  return violations;
}
