// A provider may fill a document with anything: it is kept, or refused with the reason.
import { expect, test } from "bun:test";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { owning } from "../../src/orchestrator/owning.ts";
import type { FetchedDocument, Provider } from "../../src/ports/provider.ts";
import { makeRun, temporaryFolder, testPorts } from "../operations/made-run.ts";

const BYTES = new TextEncoder().encode("A lease is a right that ends.");
const GOOD: FetchedDocument = {
  origin: "odd:note://1",
  title: "Leases",
  media_type: "text/plain",
  bytes: BYTES,
  text: BYTES,
  textFrom: { text_from: "bytes" },
};

async function kept(document: FetchedDocument): Promise<string> {
  using folder = temporaryFolder();
  const ports = testPorts();
  const runRoot = await makeRun(ports, folder.path, "dr_1");
  let told = "";
  await owning(ports, runRoot, { reason: "test", observer: {} }, async (ownership) => {
    const provider = { id: "mcp", fetch: async () => ({ kind: "document", document }) } as unknown as Provider;
    const passage = { ...GOOD, document_digest: digestOfBytes(BYTES), start: 0, end: 1, text: "A", score: 1 };
    const outcome = await ownership.sources.keep(provider, passage, new AbortController().signal);
    told = outcome.kind === "gone" ? `gone: ${outcome.reason}` : outcome.kind;
  });
  return told;
}

test("a document that fits is kept, odd characters and all", async () => {
  expect(await kept(GOOD)).toBe("kept");
  expect(await kept({ ...GOOD, title: "\u0000\u202e\u001b[2J\ud800", origin: "odd:\u0000" })).toBe("kept");
  expect(await kept({ ...GOOD, title: "t".repeat(100_000) })).toBe("kept");
});

test.each<[string, Partial<FetchedDocument>]>([
  ["media_type: Too big", { media_type: `application/${"x".repeat(310)}+json` }],
  ["media_type: Too small", { media_type: "" }],
  ["origin: Too big", { origin: "o".repeat(2_001) }],
  ["title: Too small", { title: "" }],
  ["half a character", { media_type: "text/\ud800" }],
  ["half a character", { origin: "odd:\udc00" }],
])("one that does not is gone, with the reason: %s", async (reason, odd) => {
  expect(await kept({ ...GOOD, ...odd })).toStartWith("gone: ");
  expect(await kept({ ...GOOD, ...odd })).toContain(reason);
});
