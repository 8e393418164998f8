// Requests that are large: what is acknowledged is read by the owner, and what it would not read is refused.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import type { ResultRequest } from "../../src/run/log/request.ts";
import { codeOf, makeRun, temporaryFolder, testPorts } from "../operations/made-run.ts";

const { store } = testPorts();

function bringing(documents: number): ResultRequest {
  const part = { sha256: digestOfBytes(""), bytes: 0 };
  return {
    schema_version: "request.result.v1",
    request_id: "result-1",
    kind: "result",
    reason: "an answer",
    requested_at: "2026-01-01T00:00:00.000Z",
    step: "wave1:overview",
    by: { agent_run_id: "agent" },
    replaces: false,
    answer: part,
    sources: Array.from({ length: documents }, (_, at) => ({ name: `${"n".repeat(1_000)}-${at}.md`, ...part })),
  };
}

test("one that names a hundred documents by long names is read", async () => {
  using folder = temporaryFolder();
  const runRoot = await makeRun(testPorts(), folder.path, "dr_large");
  await store.request(runRoot, bringing(100));
  expect((await store.look(runRoot)).requests.map(({ request_id }) => request_id)).toEqual(["result-1"]);
});

test("one that its owner would not read is INPUT_TOO_LARGE, and leaves nothing", async () => {
  using folder = temporaryFolder();
  const runRoot = await makeRun(testPorts(), folder.path, "dr_large");
  expect(await codeOf(store.request(runRoot, bringing(2_000)))).toBe("INPUT_TOO_LARGE");
  expect(existsSync(`${runRoot}/requests`)).toBeFalse();
});

test("one whose name is taken is not acknowledged", async () => {
  using folder = temporaryFolder();
  const runRoot = await makeRun(testPorts(), folder.path, "dr_large");
  await store.request(runRoot, bringing(1));
  expect(await codeOf(store.request(runRoot, bringing(2)))).toBe("WRITE_FAILED");
  expect((await store.look(runRoot)).requests).toMatchObject([{ sources: [{}] }]);
});
