// The stream of a run whose journal is damaged while a page follows it: said once, and the connection is kept.
import { expect, test } from "bun:test";
import fs from "node:fs";
import { join } from "node:path";
import { makePorts } from "../../src/wiring.ts";
import { makeCompletedRun, temporaryFolder } from "../operations/made-run.ts";
import { flipInJournal } from "../operations/damaged-run.ts";
import { openConsole } from "./called-console.ts";

test("one event says it, and the snapshot shows the damage with the steps that mend it", async () => {
  using cache = temporaryFolder();
  const ports = makePorts({
    indexFolder: null,
    damageFolder: join(cache.path, "damage"),
    cliInvocation: "deep-research",
  });
  await using console = await openConsole({ ports });
  const runRoot = await makeCompletedRun(ports, console.runsRoot, "r1");
  expect((await console.get("/api/runs/r1")).body["headline"]).toMatchObject({ words: "completed" });
  flipInJournal(runRoot, "source.stored");
  const response = await console.send("/api/runs/r1/events?after=0&lines=1", {
    headers: { authorization: `Bearer ${console.token}` },
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes('"event":"damaged"')) text += (await reader?.read())?.value ?? "";
  const kept = Symbol("kept");
  const next = await Promise.race([reader?.read(), Bun.sleep(50).then(() => kept)]);
  expect(next as unknown).toBe(kept);
  const { body } = await console.get("/api/runs/r1");
  expect(body["headline"]).toMatchObject({ words: "completed, damaged", tone: "bad" });
  const shown = (body["ways_on"] as unknown as { shown: string }[]).map((way) => way.shown);
  expect(shown.slice(0, 2)).toEqual(["deep-research verify r1", "deep-research repair r1 --dry-run"]);
  await reader?.cancel();
  expect(fs.readdirSync(runRoot).filter((name) => name.includes("damage"))).toEqual([]);
});

test("a feed that fails while nobody waits for news fails quietly", () => {
  const code = `
    import { RunFeed } from ${JSON.stringify(join(import.meta.dir, "../../src/console/run-feed.ts"))};
    const failing = { next: () => Promise.reject(new Error("the journal is damaged")) };
    const clock = { uptimeMs: () => 0, sleep: () => Promise.resolve() };
    const feed = new RunFeed({ clock, store: { follow: () => failing } }, "/runs/r1", 0);
    feed.join();
    await Bun.sleep(0);
    await feed.news.catch((error) => console.log(error.message));
  `;
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, "-e", code]);
  expect([exitCode, stdout.toString(), stderr.toString()]).toEqual([0, "the journal is damaged\n", ""]);
});
