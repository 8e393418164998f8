import { expect, test } from "bun:test";
import { replaced } from "../../src/kernel/replaced.ts";
import type { Provider } from "../../src/ports/provider.ts";
import { TemporaryFolder } from "../corpus/temporary-folder.ts";
import { openFolder } from "../drivers/local/local-run.ts";

const NO_ABORT = new AbortController().signal;

test("a provider that is closed in another way can all that it could", async () => {
  using folder = new TemporaryFolder({ "a.md": "# Locks\n\nA lock expires.\n" });
  const provider = await openFolder(folder.path);
  let closed = 0;
  const other: Provider = replaced(provider, { close: () => void closed++ });
  for (const key of Object.getOwnPropertyNames(Object.getPrototypeOf(provider))) expect(key in other).toBe(true);
  expect(other.id).toBe("filesystem");
  expect(await other.search("lock", 5, NO_ABORT)).toHaveLength(1);
  expect(await other.countWords?.("lock", NO_ABORT)).toEqual({ passages: 1, holding: new Map([["lock", 1]]) });
  other.close();
  expect(closed).toBe(1);
  expect(await provider.search("lock", 5, NO_ABORT)).toHaveLength(1);
  provider.close();
});
