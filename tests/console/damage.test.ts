// Runs that are damaged or renamed, over HTTP: what was altered is named, and what is there is found.
import { expect, test } from "bun:test";
import { cpSync, appendFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeCompletedRun, makeRun } from "../operations/made-run.ts";
import { type CalledConsole, openConsole } from "./called-console.ts";

async function withRun(): Promise<CalledConsole & { runRoot: string }> {
  const console = await openConsole();
  await makeCompletedRun(console.ports, console.runsRoot, "r1");
  return { ...console, runRoot: join(console.runsRoot, "r1") };
}

test("a verification names what was altered; control: before it was, all is well", async () => {
  await using console = await withRun();
  expect((await console.post("/api/runs/r1/verify")).body).toMatchObject({ ok: true });
  const text = readdirSync(`${console.runRoot}/sources`).find((name) => name.endsWith(".txt"));
  appendFileSync(`${console.runRoot}/sources/${text}`, "!");
  const { body } = await console.post("/api/runs/r1/verify");
  expect(body).toMatchObject({ ok: false, words: `Does not verify: sources/${text}` });
});

test("a report over an altered source is refused as a page and as a file, unless that is allowed", async () => {
  await using console = await withRun();
  const routes = ["reports/current/page", "reports/1.md", "reports/1.html", "reports/1.docx"];
  const statuses = async (query: string): Promise<number[]> =>
    await Promise.all(routes.map(async (route) => (await console.get(`/api/runs/r1/${route}${query}`)).status));
  expect(await statuses("")).toEqual([200, 200, 200, 200]);
  const text = readdirSync(`${console.runRoot}/sources`).find((name) => name.endsWith(".txt"));
  appendFileSync(`${console.runRoot}/sources/${text}`, "!");
  expect(await statuses("")).toEqual([500, 500, 500, 500]);
  expect(await statuses("?allow_damaged=1")).toEqual([200, 200, 200, 200]);
});

test("a journal that is damaged is refused with the command that looks at this run", async () => {
  await using console = await withRun();
  const journal = `${console.runRoot}/journal.jsonl`;
  writeFileSync(journal, readFileSync(journal, "utf8").replace('"kind":"source.stored"', '"kind":"source.stolen"'));
  rmSync(`${console.runRoot}/manifest.json`);
  const { status, body } = await console.get("/api/runs/r1");
  expect([status, body["error"]]).toEqual([
    500,
    expect.objectContaining({ hint: expect.stringContaining(`repair ${console.runRoot} --dry-run`) }),
  ]);
});

test("a run whose folder was renamed is found by its id, as the command line finds it", async () => {
  await using console = await withRun();
  const before = (await console.get("/api/runs/r1")).body;
  renameSync(console.runRoot, join(console.runsRoot, "elsewhere"));
  const { body } = await console.get("/api/runs/r1");
  expect([body["revision"], body["run_root"]]).toEqual([
    before["revision"],
    join(console.runsRoot, "elsewhere"),
  ] as never);
  for (const path of ["reports/1.md", "reports/current/page", "inspect", "triage"])
    expect([path, (await console.get(`/api/runs/r1/${path}`)).status]).toEqual([path, 200]);
  expect((await console.get("/api/runs/r2")).status).toBe(404);
});

test("a copy of a run's folder is opened by the name of the folder; an id that two other folders hold is refused", async () => {
  await using console = await withRun();
  cpSync(console.runRoot, join(console.runsRoot, "copy"), { recursive: true });
  const { body: list } = await console.get("/api/runs");
  const addresses = (list["runs"] as unknown as { address: string }[]).map(({ address }) => address);
  expect(addresses.toSorted()).toEqual(["copy", "r1"]);
  for (const address of addresses)
    expect((await console.get(`/api/runs/${address}`)).body).toMatchObject({
      run_id: "r1",
      run_root: join(console.runsRoot, address),
    });
  renameSync(console.runRoot, join(console.runsRoot, "other"));
  const refused = await console.get("/api/runs/r1");
  expect([refused.status, refused.body["error"]]).toEqual([400, expect.objectContaining({ code: "INVALID_ARGS" })]);
  expect((await console.get("/api/runs/other")).status).toBe(200);
});

test("each folder is listed by a name that opens it, whatever it is called, and what is done to a copy is answered with the copy", async () => {
  await using console = await withRun();
  const names = ["r1 (copy)", "50% & 1é"];
  for (const name of names) cpSync(console.runRoot, join(console.runsRoot, name), { recursive: true });
  const addressed = async (): Promise<[string, string][]> => {
    const runs = (await console.get("/api/runs")).body["runs"] as unknown as { address: string; run_root: string }[];
    return runs.map(({ address, run_root }) => [address, run_root]);
  };
  for (const [address, runRoot] of await addressed())
    expect((await console.get(`/api/runs/${address}`)).body["run_root"]).toBe(runRoot as never);
  const copy = encodeURIComponent(names[0] ?? "");
  const selected = await console.post(`/api/runs/${copy}/select`, { version: 1 });
  expect([selected.status, selected.body["run_root"]]).toEqual([200, join(console.runsRoot, "r1 (copy)")] as never);
  // Another run is renamed to where this one was.
  await makeRun(console.ports, console.runsRoot, "r2");
  renameSync(console.runRoot, join(console.runsRoot, "kept"));
  renameSync(join(console.runsRoot, "r2"), console.runRoot);
  for (const [address, runRoot] of await addressed())
    expect((await console.get(`/api/runs/${address}`)).body["run_root"]).toBe(runRoot as never);
});
