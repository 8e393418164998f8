// Small calls that the self tests of the simulated world share.
import { expect } from "bun:test";
import type { FileHandle } from "../../src/ports/files.ts";
import { eventLoopTurn } from "./clock.ts";
import { Crashed, type SimulatedProcess } from "./disk.ts";

export const bytes = (text: string) => new TextEncoder().encode(text);
export const text = (content: Uint8Array) => new TextDecoder().decode(content);

/** Creates a file in one write; the handle stays open. */
export async function createFile(
  files: SimulatedProcess,
  path: string,
  content: string,
  sync = true,
): Promise<FileHandle> {
  const handle = await files.open(path, "create");
  await handle.write(bytes(content));
  if (sync) await handle.sync();
  return handle;
}

/** The errno that a call fails with, or "no error". */
export async function errnoFrom(call: () => unknown): Promise<string> {
  try {
    await call();
    return "no error";
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
    return (error as { code?: string }).code ?? String(error);
  }
}

/** Whether a call ends with the death of its process. */
export async function crashes(call: () => unknown): Promise<boolean> {
  try {
    await call();
    return false;
  } catch (error) {
    if (error instanceof Crashed) return true;
    throw error;
  }
}

/** What became of a promise within one turn of the event loop: `resolved`, `pending`, or the name of its error. */
export const settled = async (promise: Promise<unknown>): Promise<string> => {
  const outcome = promise.then(
    () => "resolved",
    (error: unknown) => (error instanceof Error ? error.name : String(error)),
  );
  return Promise.race([outcome, eventLoopTurn().then(() => "pending")]);
};
