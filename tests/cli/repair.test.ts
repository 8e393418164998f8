// `repair` of a damaged journal: it says what is lost, asks before it, and names what comes next.
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import { makeCompletedRun, temporaryFolder, testPorts } from "../operations/made-run.ts";
import { envelopeIn } from "./envelope.ts";
import { cli } from "./fake-host.ts";

const ports = testPorts();

/** A completed run with a record in the middle of its journal that was altered. */
async function damagedRun(folder: string): Promise<{ runRoot: string; kept: number; lost: number; journal: string }> {
  const runRoot = await makeCompletedRun(ports, folder, "dr_1");
  const records = await ports.store.records(runRoot);
  const kept = records.findIndex(({ kind }) => kind === "source.stored");
  const path = `${runRoot}/journal.jsonl`;
  const journal = fs.readFileSync(path, "utf8").replace('"kind":"source.stored"', '"kind":"source.stolen"');
  fs.writeFileSync(path, journal);
  return { runRoot, kept, lost: records.length - kept, journal };
}

describe("a repair that loses records of the journal", () => {
  test("is foreseen by --dry-run, which names the repair", async () => {
    using folder = temporaryFolder();
    const { runRoot, kept, lost, journal } = await damagedRun(folder.path);
    const { code, stdout } = await cli(["repair", runRoot, "--dry-run"]);
    expect(code).toBe(0);
    expect(stdout).toContain(
      `a repair would keep the first ${kept} journal records and lose the ${lost} records behind them\n` +
        "report 1 would be gone\nnothing was changed\n",
    );
    expect(stdout).toEndWith(`deep-research repair ${runRoot} --yes\n`);
    expect(fs.readFileSync(`${runRoot}/journal.jsonl`, "utf8")).toBe(journal);
    const { result } = envelopeIn((await cli(["repair", runRoot, "--dry-run", "--json"])).stdout);
    expect(result).toMatchObject({
      cost: { kept_records: kept, lost_records: lost, lost_reports: [1] },
      next_commands: [`deep-research repair ${runRoot} --yes`],
    });
  });

  test("asks on a terminal and wants --yes elsewhere", async () => {
    using folder = temporaryFolder();
    const { runRoot, journal } = await damagedRun(folder.path);
    const refused = await cli(["repair", runRoot]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("lost reports: 1\n");
    expect(refused.stderr).toEndWith(`deep-research repair ${runRoot} --yes\n`);
    const terminals = ["stdin", "stderr"] as const;
    const denied = await cli(["repair", runRoot], { terminals, answer: "n" });
    expect([denied.code, denied.stdout]).toEqual([0, "nothing was changed\n"]);
    expect(denied.stderr).toContain("report 1 would be gone\n");
    expect(fs.readFileSync(`${runRoot}/journal.jsonl`, "utf8")).toBe(journal);
    const agreed = await cli(["repair", runRoot], { terminals, answer: "y" });
    expect([agreed.code, agreed.stdout.includes("report 1 is gone")]).toEqual([0, true]);
  });

  test("says what it lost and what comes next; status promises no more than the journal holds", async () => {
    using folder = temporaryFolder();
    const { runRoot, lost } = await damagedRun(folder.path);
    const { code, stdout } = await cli(["repair", runRoot, "--yes"]);
    const aside = fs.readdirSync(`${runRoot}/quarantine`).find((name) => name.startsWith("journal"));
    expect(code).toBe(0);
    expect(stdout).toContain(
      `1 damaged record and the ${lost - 1} behind it were set aside in quarantine/${aside}; ` +
        `report 1 is gone; resume redoes what is lost\nnext:\n`,
    );
    expect(stdout).toContain(`deep-research resume ${runRoot}\n`);
    const status = (await cli(["status", runRoot])).stdout;
    expect(status).toStartWith("dr_1  interrupted\n");
    expect(status).not.toMatch(/acknowledged/);
  });

  test("counts records alone: neither a torn line nor zeros that a power cut left", async () => {
    using folder = temporaryFolder();
    const { runRoot, lost } = await damagedRun(folder.path);
    fs.appendFileSync(`${runRoot}/journal.jsonl`, '\0\0\0\n \n{"data":{"torn');
    const { result } = envelopeIn((await cli(["repair", runRoot, "--yes", "--json"])).stdout);
    expect(result).toMatchObject({ dropped_records: lost });
  });

  test("is the reason why the run is interrupted, not the end of a process", async () => {
    using folder = temporaryFolder();
    const { runRoot, lost } = await damagedRun(folder.path);
    await cli(["repair", runRoot, "--yes"]);
    const { result } = envelopeIn((await cli(["triage", runRoot, "--json"])).stdout);
    const reason = `a repair gave up ${lost} records behind the last one that is left`;
    expect(result).toMatchObject({ findings: [{ condition: "interrupted", why: { reason } }] });
  });

  test("also where the journal ends before records that were acknowledged", async () => {
    using folder = temporaryFolder();
    const runRoot = await makeCompletedRun(ports, folder.path, "dr_1");
    const path = `${runRoot}/journal.jsonl`;
    const lines = fs.readFileSync(path, "utf8").split("\n");
    const kept = lines.slice(0, 4).join("\n");
    fs.writeFileSync(path, `${kept}\n`);
    expect((await cli(["repair", runRoot, "--dry-run"])).stdout).toContain("; those behind them are missing already\n");
    expect((await cli(["repair", runRoot])).code).toBe(2);
    expect((await cli(["repair", runRoot, "--yes"])).stdout).toMatch(/\n\d+ records behind the first \d+ are missing;/);
  });

  test("control: damage of which everything is made again is repaired without a question", async () => {
    using folder = temporaryFolder();
    const runRoot = await makeCompletedRun(ports, folder.path, "dr_1");
    fs.truncateSync(`${runRoot}/manifest.json`, 40);
    expect((await cli(["repair", runRoot, "--dry-run"])).stdout).toEndWith(`deep-research repair ${runRoot}\n`);
    const { code, stdout } = await cli(["repair", runRoot]);
    expect(code).toBe(0);
    expect(stdout).toContain("rebuilt      manifest.json\n");
    expect(stdout).toContain(`deep-research report show ${runRoot}\n`);
  });
});
