// Tests that answers of search engines, and what could not be reached, are in the journal for later processes of the run.
import { expect, setDefaultTimeout, test } from "bun:test";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { initRun } from "../../src/operations/make/init-run.ts";
import { runRun } from "../../src/operations/change/run-run.ts";
import type { OpenCorpora, Provider } from "../../src/ports/provider.ts";
import type { BlockedUrl } from "../../src/run/report/blocked-urls.ts";
import type { EngineAnswer } from "../../src/run/report/engine-answer.ts";
import { LiveRun } from "./live-run.ts";

setDefaultTimeout(600_000);

const ADDRESS = "https://site.test/options";
const TEXT = "Options are parsed from left to right, and errors in them are reported at once.";

const GONE: BlockedUrl = {
  url: "https://site.test/gone",
  provider_id: "web",
  reason: "http_status",
  detail: "status 404",
  help: "open the page in a browser",
  http_status: 404,
  blocked_at: "2026-01-01T00:00:00.000Z",
};

/** A web that finds one page, and says that an engine named it for every query. */
function web(): Provider {
  const answered: EngineAnswer[] = [];
  const unreached = [GONE];
  const bytes = new TextEncoder().encode(TEXT);
  const head = { origin: ADDRESS, title: "Options" };
  return {
    id: "web",
    async search(query) {
      answered.push({ query, hits: [{ url: ADDRESS, title: "Options" }] });
      return [{ ...head, document_digest: digestOfBytes(TEXT), start: 0, end: bytes.length, text: TEXT, score: 1 }];
    },
    fetch: async () => ({
      kind: "document",
      document: { ...head, media_type: "text/plain", bytes, text: bytes, textFrom: { text_from: "bytes" } },
    }),
    takeAnswered: () => answered.splice(0),
    takeBlocked: () => unreached.splice(0),
    close: () => undefined,
  };
}

test("is given to the next process that works on the run", async () => {
  await using live = await LiveRun.open({ mode: "quick", corpora: [], providers: ["web"] });
  const given: EngineAnswer[][] = [];
  const goneBefore: BlockedUrl[][] = [];
  const openCorpora: OpenCorpora = async (_corpora, { wanted }) => {
    if (wanted?.answered !== undefined) given.push([...wanted.answered]);
    if (wanted?.unreached !== undefined) goneBefore.push([...wanted.unreached]);
    return { provider: web(), reports: [] };
  };
  live.ports = { ...live.ports, openCorpora };
  await initRun(live.ports, live.initOptions(), {});
  await runRun(live.ports, live.runRoot, { untilStage: "pivot" }, {});
  const asked = await live.dataOf("engine.answered");
  expect(asked.map(({ query }) => query).toSorted()).toEqual([
    "options parsed errors reported",
    "short options cannot be parsed",
  ]);
  expect((await runRun(live.ports, live.runRoot, {}, {})).error).toBeNull();
  expect(given).toEqual([[], asked]);
  expect(goneBefore).toEqual([[], [GONE]]);
});
