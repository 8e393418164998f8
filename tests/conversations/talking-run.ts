// A run in memory whose one step talks with a model: what its journal holds, what was called, and the same run cut short.
import { RunError } from "../../src/kernel/errors.ts";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { Interrupted, type WantedHalt } from "../../src/ports/interruption.ts";
import { OpenConversations } from "../../src/conversations/open-conversations.ts";
import type { Ownership } from "../../src/orchestrator/ownership.ts";
import { owning } from "../../src/orchestrator/owning.ts";
import type { Conversation, Tool } from "../../src/ports/driver.ts";
import type { Models } from "../../src/ports/model.ts";
import type { Observer } from "../../src/ports/observer.ts";
import type { Ports } from "../../src/ports/ports.ts";
import type { RunLog } from "../../src/ports/run-log.ts";
import type { Message } from "../../src/run/model/conversation.ts";
import { toolCallPlaceSchema, type AnyRecord } from "../../src/run/log/record.ts";
import {
  DEFAULT_MODEL_SETTINGS,
  DEFAULT_SETTINGS,
  LIMITS_BY_MODE,
  settingsDigest,
  type Budgets,
  type Settings,
} from "../../src/run/settings/settings.ts";
import type { Role } from "../../src/run/role.ts";
import { memoryLog, type Memory } from "../conformance/memory-log.ts";
import { PRICES } from "../live/live-run.ts";
import { TO_RUNNING, testPorts } from "../operations/made-run.ts";

export const RUN_ROOT = "/runs/dr_talk";
export const PLACE = { key: "wave1:talk", stage: "wave1" as const, inputs_digest: digestOfBytes("talk") };
const MODEL = { provider: "compatible" as const, name: "scripted", base_url: "http://127.0.0.1:1/v1" };

export interface TalkOptions {
  models: Models;
  tools: readonly Tool[];
  budgets?: Budgets;
  /** The guard that a control takes out: what the journal does not say any more. */
  forgets?: AnyRecord["kind"];
  role?: Role;
  observer?: Observer;
}

export type Ended =
  | { kind: "done"; messages: readonly Message[] }
  | { kind: "halted"; halt: WantedHalt }
  | { kind: "failed"; error: RunError };

export async function newMemory(options: Pick<TalkOptions, "budgets"> = {}): Promise<Memory> {
  const memory: Memory = new Map();
  const { store } = portsOver(memory);
  const settings: Settings = {
    ...DEFAULT_SETTINGS,
    driver: "live",
    providers: { run: [], workspace: [] },
    corpora: [],
    models: { ...DEFAULT_MODEL_SETTINGS, default: MODEL, roles: {}, max_output_tokens: 1_000 },
    ...(options.budgets === undefined ? {} : { budgets: options.budgets }),
  };
  const data = {
    schema_version: "journal.v1" as const,
    run_id: "dr_talk",
    tool_version: "0.0.0",
    query: { text: "What is said?", sensitivity: "normal" as const },
    mode: "standard" as const,
    settings,
    settings_digest: settingsDigest(settings),
    limits: LIMITS_BY_MODE.standard,
  };
  await store.create(RUN_ROOT, [{ kind: "run.created", data }, TO_RUNNING], []);
  return memory;
}

/** The same run with its first records alone, and nobody at work on it. */
export function cutAfter(memory: Memory, count: number): Memory {
  return withRecords(memory, (_record, index) => index < count);
}

/** The same run with these records alone. */
export function withRecords(memory: Memory, isKept: (record: AnyRecord, index: number) => boolean): Memory {
  const run = memory.get(RUN_ROOT);
  if (run === undefined) throw new Error("no run");
  const records = run.records.filter(isKept);
  return new Map([[RUN_ROOT, { records, files: new Map(run.files), requests: new Map(), claim: null }]]);
}

export function recordsOf(memory: Memory): AnyRecord[] {
  return memory.get(RUN_ROOT)?.records ?? [];
}

export function portsOver(memory: Memory, forgets?: AnyRecord["kind"]): Ports {
  const ports = testPorts();
  const store = memoryLog(ports, memory);
  return { ...ports, prices: [PRICES], store: forgets === undefined ? store : forgetting(store, forgets) };
}

/** A log whose owners do not find records of one kind when they read it. */
export function forgetting(store: RunLog, forgotten: AnyRecord["kind"]): RunLog {
  return {
    ...store,
    async acquire(...asked) {
      const acquired = await store.acquire(...asked);
      if (acquired.kind === "held") return acquired;
      const { writer } = acquired;
      const read = writer.records.bind(writer);
      writer.records = async () => (await read()).filter(({ kind }) => kind !== forgotten);
      return acquired;
    },
  };
}

/** Leads the conversation of the step under the lease, from the start. */
export async function talk(
  memory: Memory,
  { models, tools, forgets, role = "researcher", observer = {} }: TalkOptions,
): Promise<Ended> {
  const ports: Ports = { ...portsOver(memory, forgets), loadModels: async () => models };
  return await owning(ports, RUN_ROOT, { reason: "talk", observer }, async (ownership) => {
    try {
      const conversation = await open(ownership, tools, role);
      await lead(conversation);
      return { kind: "done", messages: conversation.messages };
    } catch (error) {
      if (error instanceof Interrupted && error.interruption.kind === "halt")
        return { kind: "halted", halt: error.interruption.halt };
      if (error instanceof RunError) return { kind: "failed", error };
      throw error;
    }
  });
}

async function open(ownership: Ownership, tools: readonly Tool[], role: Role): Promise<Conversation> {
  return await new OpenConversations(ownership).converse(PLACE, { name: "main", role, tools }, ownership.signal);
}

async function lead(conversation: Conversation): Promise<void> {
  await conversation.say("system", "You answer.");
  await conversation.say("user", "What is said?");
  while ((await conversation.ask()).tool_calls.length > 0) await conversation.answer();
}

/** What a person may do about a call whose outcome is unknown. */
export async function allowReplay(memory: Memory, { halt }: { halt: WantedHalt }): Promise<void> {
  const data = toolCallPlaceSchema.parse(halt.details);
  await owning(portsOver(memory), RUN_ROOT, { reason: "settle", observer: {} }, async ({ writer }) => {
    await writer.commit([{ kind: "tool.replay_allowed", data }]);
  });
}
