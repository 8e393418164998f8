// The runs of a chat: which of them a `resume` continues with, and which wait for something else.
import { type ListedRun, listRuns } from "../operations/look/list-runs.ts";
import { chatOf } from "../run/common.ts";
import type { ConsoleParts } from "./request.ts";

export interface ChatRuns {
  newest: ListedRun | null;
  /** The newest interrupted one. */
  interrupted: ListedRun | null;
  isWorking: boolean;
  working: readonly ListedRun[];
  /** Paused and halted ones, which `resume` leaves alone. */
  waiting: { runId: string; status: "paused" | "halted"; halt: string | null }[];
}

/** `chat`: null for the runs of all chats. `runId`: only this one of them, where there is one of this id. */
export async function runsOfChat(
  { ports, runsRoot }: Pick<ConsoleParts, "ports" | "runsRoot">,
  chat: string | null,
  runId: string | null = null,
): Promise<ChatRuns> {
  const { result } = await listRuns(ports, runsRoot);
  const ofChat = result.runs.filter((run) => chat === null || chatOf(run) === chat);
  const named = ofChat.filter(({ run_id }) => run_id === runId);
  const runs = named.length > 0 ? named : ofChat;
  const working = runs.filter(({ is_owned, execution_state }) => is_owned && execution_state === "running");
  return {
    newest: runs[0] ?? null,
    interrupted: runs.find(({ execution_state }) => execution_state === "interrupted") ?? null,
    isWorking: working.length > 0,
    working,
    waiting: runs.flatMap(({ run_id, condition, halt }) =>
      condition === "paused" || condition === "halted" ? [{ runId: run_id, status: condition, halt }] : [],
    ),
  };
}

/** True when a run that was interrupted is worked on again: another client, or another server, has resumed it. */
export async function isTakenUp({ ports }: Pick<ConsoleParts, "ports">, { working }: ChatRuns): Promise<boolean> {
  for (const { run_root } of working) {
    const { manifest, lease } = await ports.store.look(run_root, { cutShort: true });
    const isJustClaimed = manifest.tick.is_open && (lease.held?.epoch ?? 0) > manifest.epoch;
    if (isJustClaimed || manifest.state_history.at(-1)?.from === "interrupted") return true;
  }
  return false;
}
