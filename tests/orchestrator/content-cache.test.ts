// The content of a run that its owner reads: each once, as far as memory is set aside for it.
import { expect, test } from "bun:test";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { cachedContent } from "../../src/orchestrator/content-cache.ts";
import type { RunLog } from "../../src/ports/run-log.ts";
import type { Stage } from "../../src/run/stage.ts";
import { changed, withWriters } from "../simulation/changed.ts";
import { codeOf, RunWorld, start } from "./at-work.ts";

/** How often a whole run read each content of the store through its owner in one stage. */
async function readsOfARun(): Promise<number[]> {
  const reads = new Map<string, number>();
  const counting = (store: RunLog): RunLog =>
    withWriters(store, (writer) =>
      changed(writer, {
        readContent: async (ref) => {
          const key = `${writer.manifest.stage.current} ${ref.sha256}`;
          reads.set(key, (reads.get(key) ?? 0) + 1);
          return await writer.readContent(ref);
        },
      }),
    );
  expect(codeOf(await start(new RunWorld(), {}, { wrapStore: counting }))).toBe("ok");
  return [...reads.values()];
}

test("no stage of a run reads any content twice", async () => {
  const reads = await readsOfARun();
  expect(reads.length).toBeGreaterThan(0);
  expect(Math.max(...reads)).toBe(1);
});

test("what was used longest ago goes first, and what is larger than all of it is not kept", async () => {
  const asked: string[] = [];
  let stage: Stage = "wave1";
  const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
  const read = cachedContent(
    async ({ path }) => (asked.push(path), bytesOf(path)),
    () => stage,
    6,
  );
  const get = async (path: string): Promise<string> =>
    new TextDecoder().decode(await read({ path, sha256: digestOfBytes(bytesOf(path)) }));
  for (const path of ["aa", "bb", "cc", "aa", "dd", "aa", "bb", "too large", "too large", "aa"])
    expect(await get(path)).toBe(path);
  expect(asked).toEqual(["aa", "bb", "cc", "dd", "bb", "too large", "too large"]);
  stage = "citations";
  await get("aa");
  expect(asked.at(-1)).toBe("aa");
});
