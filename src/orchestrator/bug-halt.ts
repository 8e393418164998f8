// Halts a run that met a bug, so that it waits for a person and other runs continue.
import { describeCause, isFault } from "../kernel/errors.ts";
import { given } from "../kernel/given.ts";
import { shortened } from "../kernel/shortened.ts";
import { settleLostCalls } from "../conversations/ledger.ts";
import type { Ownership } from "./ownership.ts";
import { confirmLease, haltDrafts } from "./stopping.ts";

const MAX_MESSAGE_LENGTH = 500;
const MAX_STACK_LINES = 8;

/** Errors: `LOCK_LOST`, and those of the store when this owner cannot write any more. */
export async function haltForBug(ownership: Ownership, thrown: unknown): Promise<void> {
  await confirmLease(ownership);
  // The bug may be in here, too. The next owner settles what is not settled now.
  await settleLostCalls(ownership).catch(() => undefined);
  const { writer, ports } = ownership;
  const details = { ...bugDetails(thrown), tool_version: ports.toolVersion };
  await writer.commit(haltDrafts(ownership, { kind: "internal", details }));
}

function bugDetails(thrown: unknown) {
  // A bug in a step comes with the key of the step.
  const step = isFault(thrown, "INTERNAL") ? thrown.facts.step : undefined;
  const bug = step === undefined ? thrown : (thrown as Error).cause;
  // The message may repeat text from outside that ends in half a character, which shortening repairs.
  const message = shortened(describeCause(bug), MAX_MESSAGE_LENGTH);
  return {
    reason: `a bug in deep-research: ${message}`,
    name: bug instanceof Error ? bug.name.toWellFormed() : typeof bug,
    ...given({ step }),
    stack: bug instanceof Error ? stackLines(bug) : [],
  };
}

/** Where in the program it happened, innermost first, without the folders of this machine. */
function stackLines({ stack = "" }: Error): string[] {
  return stack
    .split("\n")
    .filter((line) => /^\s*at /.test(line))
    .slice(0, MAX_STACK_LINES)
    .map((line) => shortened(withoutFolders(line.trim()), MAX_MESSAGE_LENGTH));
}

/** Cuts each path: from `src` or `node_modules` on, or else its last name. */
function withoutFolders(line: string): string {
  return line.replace(/(?:file:\/\/)?\/[^\s()]*/g, (path) => {
    const own = /(?:^|\/)((?:src|node_modules)\/.*)$/.exec(path)?.[1];
    return own ?? path.slice(path.lastIndexOf("/") + 1);
  });
}
