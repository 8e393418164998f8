// Tests that work over the sources of a run holds one text at a time, so that memory does not grow with them.
import { expect, setDefaultTimeout, test } from "bun:test";
import { localDriver } from "../../src/drivers/local.ts";
import { placed } from "../../src/drivers/verdicts/quote-places.ts";
import { forkRun } from "../../src/operations/make/fork-run.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import type { RunLog } from "../../src/ports/run-log.ts";
import { citationsStage } from "../../src/stages/citations.ts";
import { Evidence } from "../../src/stages/evidence.ts";
import type { Citation } from "../../src/run/report/research.ts";
import type { Quote, Source } from "../../src/run/report/source.ts";
import { digestOfBytes, type Digest } from "../../src/kernel/digest.ts";
import { LiveRun } from "./live-run.ts";

setDefaultTimeout(600_000);

/** Memory for one text: who still holds an earlier one finds the latest in its place. */
class OneRoom {
  readonly #room = new Uint8Array(1024 * 1024);
  readonly given: string[] = [];

  put(name: string, bytes: Uint8Array): Uint8Array {
    this.given.push(name);
    this.#room.set(bytes);
    return this.#room.subarray(0, bytes.byteLength);
  }
}

function inOneRoom(store: RunLog, room: OneRoom): RunLog {
  const readContent: RunLog["readContent"] = async (runRoot, ref) =>
    room.put(ref.path, await store.readContent(runRoot, ref));
  return { ...store, readContent };
}

async function completedRun(): Promise<LiveRun> {
  const live = await LiveRun.open({ driver: "local" });
  expect((await live.start()).error).toBeNull();
  return live;
}

async function evidenceOf({ ports, runRoot }: LiveRun, room: OneRoom) {
  const store = inOneRoom(ports.store, room);
  const look = await store.look(runRoot);
  const evidence = new Evidence({
    readSteps: (stage) => store.readSteps(look, stage),
    readResult: (ref) => store.readResult(runRoot, ref),
    readContent: (ref) => store.readContent(runRoot, ref),
    readRecords: () => store.records(runRoot),
    follows: () => look.manifest.follows,
    verification: () => Promise.reject(new Error("nobody asks for it")),
  });
  return { manifest: look.manifest, evidence };
}

/** In an order in which neighbours have different sources, as far as there are such. */
function interleaved(citations: readonly Citation[]): Citation[] {
  const bySource = [...Map.groupBy(citations, ({ quote }) => quote.source_digest).values()];
  const longest = Math.max(...bySource.map(({ length }) => length));
  return Array.from({ length: longest }, (_, round) => bySource.flatMap((ofSource) => ofSource[round] ?? [])).flat();
}

test("gate C reads each source once, and needs none of them twice", async () => {
  await using live = await completedRun();
  const room = new OneRoom();
  const { manifest, evidence } = await evidenceOf(live, room);
  // Each quote twice, so that there are more of them than sources.
  const checked = (await evidence.citations()).flatMap((one) => one.citations);
  const citations = interleaved([...checked, ...checked]);
  const findings = await evidence.findings();
  evidence.citations = async () => [{ subject: "overview", citations }];
  evidence.findings = async () => [...findings, ...findings];
  room.given.length = 0;
  const verdicts = await citationsStage.judge?.({ manifest, evidence, driver: localDriver });
  expect(verdicts).toMatchObject([{ gate: "C", status: "pass", reasons: [] }]);
  const texts = room.given.filter((path) => path.endsWith(".txt"));
  expect(texts.length).toBeGreaterThan(1);
  expect(citations.length).toBeGreaterThan(texts.length);
  expect(texts).toEqual([...new Set(texts)]);
});

test("the places of quotes read each source once", async () => {
  const sentence = "The tank holds six cubic metres.";
  const texts = new Map(
    ["ü".repeat(100), "u".repeat(300)].map((opening) => {
      const text = `${opening}\n\n# First\n\n${sentence}\n\n# Second\n\n${"More is said here. ".repeat(20)}\n`;
      return [digestOfBytes(text), Buffer.from(text)] as const;
    }),
  );
  const sources = [...texts].map(([digest, { byteLength }]): Source => ({
    schema_version: "source.v1",
    source_digest: digest,
    text_digest: digest,
    media_type: "text/markdown",
    title: "Tank",
    origin: "corpus/tank.md",
    provider_id: "filesystem",
    retrieved_at: "2026-01-01T00:00:00.000Z",
    bytes: byteLength,
  }));
  const quotes = [...texts].map(([source_digest, bytes]) => {
    const start = bytes.indexOf(sentence);
    return { source_digest, start, end: start + sentence.length, text: sentence };
  });
  const checked = { subject: "overview", found: true, verdict: "supported", method: "verbatim" } as const;
  const citations = [...quotes, ...quotes].map((quote: Quote, index) => ({
    citation_id: `q${index}`,
    quote,
    ...checked,
  }));
  const room = new OneRoom();
  const tools = {
    signal: new AbortController().signal,
    sourceText: async (digest: string) => room.put(digest, texts.get(digest as Digest) ?? Buffer.of()),
  };
  const found = await placed(citations, sources, tools);
  expect(found.map(({ quote }) => quote.anchor)).toEqual(citations.map(() => ({ section: ["First"] })));
  expect(room.given).toHaveLength(2);
});

test("a fork takes the files of a run along one by one", async () => {
  await using live = await completedRun();
  const room = new OneRoom();
  const ports = { ...live.ports, store: inOneRoom(live.ports.store, room) };
  const { result } = await forkRun(ports, live.runRoot, { runsRoot: live.runsRoot, runId: "dr_fork" }, {});
  expect(result.sources).toBeGreaterThan(1);
  expect((await verifyRun(live.ports, result.run_root)).error).toBeNull();
});
