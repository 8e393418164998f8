// The words of a session: what was worked so far, and which provider was asked.
import { expect, test } from "bun:test";
import { shownOf } from "../../src/console/shown.ts";
import { statusFrom } from "../../src/operations/look/status.ts";
import type { Provenance } from "../../src/run/log/provenance.ts";
import { makeRun, temporaryFolder, testPorts, tickStarted, TO_RUNNING } from "../operations/made-run.ts";

const ports = testPorts();

async function shownWith(provenance: Provenance[], laterMs = 0) {
  using folder = temporaryFolder();
  const runRoot = await makeRun(ports, folder.path, "r");
  const acquisition = await ports.store.acquire(runRoot);
  if (acquisition.kind !== "acquired") throw new Error("the lease is held");
  await acquisition.writer.commit([TO_RUNNING, tickStarted(ports)]);
  const look = await ports.store.look(runRoot);
  await acquisition.writer.release();
  const now_ms = Date.parse(look.manifest.tick.started_at ?? "") + laterMs;
  const run = { ...look, now_ms, manifest: { ...look.manifest, provenance } };
  return shownOf(run, statusFrom(run), null);
}

test("the time of a tick that is open counts while it works", async () => {
  const worked = async (laterMs: number) =>
    (await shownWith([], laterMs)).usage.find(({ name }) => name === "Worked")?.words;
  expect([await worked(0), await worked(2_500), await worked(75_000)]).toEqual([
    "0.0 s in 1 tick",
    "2.5 s in 1 tick",
    "1 min 15 s in 1 tick",
  ]);
});

test("the provider is the one that was asked, by whose settings; what it replaced is said apart", async () => {
  const asked = { requested_provider_id: "web", resolved_provider_id: "web", source_count: 1, quote_count: 1 } as const;
  const stoodIn = {
    answered_provider_id: "filesystem",
    fallback_from_provider_id: "web",
    error: "web: connection",
  } as const;
  const shown = await shownWith([{ ...asked, resolved_from: "workspace", ...stoodIn }]);
  expect(shown.provider).toEqual({ name: "web", why: "by the settings of the workspace" });
  expect(shown.fallbacks).toBe("filesystem answered in place of web (web: connection)");
});
