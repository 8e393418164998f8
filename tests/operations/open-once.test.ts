// A start reads each folder once, to make the run and to work on it.
import { expect, test } from "bun:test";
import { openingOnce } from "../../src/operations/make/open-once.ts";
import type { OpenCorpora, Provider } from "../../src/ports/provider.ts";
import { testPorts } from "./made-run.ts";

function countingPorts() {
  const counts = { opened: 0, closed: 0 };
  const openCorpora: OpenCorpora = async () => {
    counts.opened++;
    const provider: Provider = {
      id: "filesystem",
      search: async () => [],
      fetch: async () => ({ kind: "gone", reason: "a test" }),
      close: () => counts.closed++,
    };
    return { provider, reports: [] };
  };
  return { ports: { ...testPorts(), openCorpora }, counts };
}

const OPTIONS = { signal: new AbortController().signal };

test("the same folders are opened once, and closed once everybody is done", async () => {
  const { ports, counts } = countingPorts();
  {
    using once = openingOnce(ports);
    const first = await once.openCorpora([{ name: "notes", path: "/notes" }], OPTIONS);
    first.provider.close();
    const second = await once.openCorpora([{ name: "notes", path: "/notes" }], OPTIONS);
    expect(await second.provider.search("anything", 1, OPTIONS.signal)).toEqual([]);
    second.provider.close();
    expect(counts).toEqual({ opened: 1, closed: 0 });
  }
  expect(counts).toEqual({ opened: 1, closed: 1 });
});

test("other folders, and the same folder under another name, are opened by themselves", async () => {
  const { ports, counts } = countingPorts();
  using once = openingOnce(ports);
  for (const corpus of [
    { name: "notes", path: "/notes" },
    { name: "notes", path: "/moved/notes" },
    { name: "papers", path: "/notes" },
  ]) {
    await once.openCorpora([corpus], OPTIONS);
  }
  expect(counts.opened).toBe(3);
});

test("control: without it each asks for its own", async () => {
  const { ports, counts } = countingPorts();
  await ports.openCorpora([{ name: "notes", path: "/notes" }], OPTIONS);
  await ports.openCorpora([{ name: "notes", path: "/notes" }], OPTIONS);
  expect(counts.opened).toBe(2);
});
