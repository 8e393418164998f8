// Halts a run that met a bug, so that it waits for somebody and takes no other run with it.
import { describeCause, RunError } from "../kernel/errors.ts";
import { shortened } from "../kernel/shortened.ts";
import { settleLostCalls } from "../conversations/ledger.ts";
import type { Ownership } from "./ownership.ts";
import { confirmLease, haltDrafts } from "./stopping.ts";

const MAX_MESSAGE_LENGTH = 500;
const MAX_STACK_LINES = 8;

/** Throws when this owner cannot write any more: then only the caller can tell. Errors: `LOCK_LOST`. */
export async function haltForBug(ownership: Ownership, thrown: unknown): Promise<void> {
  await confirmLease(ownership);
  // The bug may lie here, too; what is not settled now is settled by the next owner.
  await settleLostCalls(ownership).catch(() => undefined);
  const { writer, ports } = ownership;
  const details = { ...bugDetails(thrown), tool_version: ports.toolVersion };
  await writer.commit(haltDrafts(ownership, { kind: "internal", details }));
}

function bugDetails(thrown: unknown): Record<string, unknown> {
  // A bug that a step met comes with its key.
  const isInStep = thrown instanceof RunError && typeof thrown.facts["step"] === "string";
  const bug = isInStep ? thrown.cause : thrown;
  const message = storable(shortened(describeCause(bug), MAX_MESSAGE_LENGTH));
  return {
    reason: `a bug in deep-research: ${message}`,
    name: bug instanceof Error ? storable(bug.name) : typeof bug,
    ...(isInStep ? { step: thrown.facts["step"] } : {}),
    stack: bug instanceof Error ? stackLines(bug) : [],
  };
}

/** Where in the program it happened, innermost first; not where on this machine the program lies. */
function stackLines({ stack = "" }: Error): string[] {
  return stack
    .split("\n")
    .filter((line) => /^\s*at /.test(line))
    .slice(0, MAX_STACK_LINES)
    .map((line) => storable(shortened(withoutFolders(line.trim()), MAX_MESSAGE_LENGTH)));
}

/** Of a path below `src` or `node_modules` that part stays, of any other its last name. */
function withoutFolders(line: string): string {
  return line.replace(/(?:file:\/\/)?\/[^\s()]*/g, (path) => {
    const own = /(?:^|\/)((?:src|node_modules)\/.*)$/.exec(path)?.[1];
    return own ?? path.slice(path.lastIndexOf("/") + 1);
  });
}

/** The message of a bug may repeat text from outside, half of a character among it. */
function storable(text: string): string {
  return text.toWellFormed();
}
