// Real processes that want one run at the same time, and one that is stopped past its lease.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import { makePorts } from "../../src/wiring.ts";
import { Host } from "./real-processes.ts";

const RIVALS = 20;
const ports = makePorts({ indexFolder: null, cliInvocation: "deep-research" });

async function initRun(host: Host): Promise<void> {
  expect(
    await host.cli("init", "How are options parsed?", "--corpus", host.corpus, "--run-id", "dr_rivals", "--json").ended,
  ).toBe(0);
}

/** Lets so many ticks begin at the same moment; their exit statuses. */
async function tickAtOnce(host: Host, stepMs: number): Promise<(number | string)[]> {
  await initRun(host);
  const barrier = join(host.folder, "go");
  const rivals = Array.from({ length: RIVALS }, () => host.worker("tick", "dr_rivals", { stepMs, barrier }));
  const isReady = ({ pid }: { pid: number }): boolean => existsSync(`${barrier}.${pid}`);
  while (!rivals.every(isReady)) await Bun.sleep(10);
  writeFileSync(barrier, "");
  return await Promise.all(rivals.map(({ ended }) => ended));
}

test(`of ${RIVALS} ticks at once exactly one works, the others exit 11, each step is done once (L2)`, async () => {
  using host = new Host();
  const codes = await tickAtOnce(host, 2500);
  expect(codes.filter((code) => code === 0).length).toBe(1);
  expect(codes.filter((code) => code === 11).length).toBe(RIVALS - 1);
  expect([...host.performed()]).toEqual([["perspectives:plan", 1]]);
  await verifyRun(ports, host.runRoot("dr_rivals"));
}, 40_000);

test("control: a tick that takes the lease from a live owner does the step once more", async () => {
  using host = new Host();
  await initRun(host);
  const options = { stepMs: 2000, takesAnyLease: true };
  const first = host.worker("tick", "dr_rivals", options);
  await first.whenPrinted(({ event }) => event === "step.started");
  const second = host.worker("tick", "dr_rivals", options);
  await Promise.all([first.ended, second.ended]);
  expect(host.performed().get("perspectives:plan")).toBe(2);
}, 600_000);

/** The bytes of every file, by path. */
function bytesBelow(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    statSync(join(folder, path)).isFile(),
  );
  return new Map(files.map((path) => [path, readFileSync(join(folder, path)).toString("base64")]));
}

test("an owner stopped past its lease, while a rival finishes, exits 13 and overwrites nothing (L1)", async () => {
  using host = new Host();
  const runRoot = host.runRoot("dr_stopped");
  const owner = host.worker("start", "dr_stopped", { stepMs: 300, leaseSeconds: 1 });
  await owner.whenPrinted(({ event, key }) => event === "step.started" && key?.startsWith("wave1:") === true);
  owner.signal("SIGSTOP");
  while ((await ports.store.look(runRoot)).lease.held !== null) await Bun.sleep(20);
  expect(await host.worker("run", "dr_stopped", { stepMs: 0, leaseSeconds: 1 }).ended).toBe(0);
  const before = bytesBelow(runRoot);
  owner.signal("SIGCONT");
  expect(await owner.ended).toBe(13);
  const after = bytesBelow(runRoot);
  for (const [path, bytes] of before) {
    if (path === "journal.jsonl") expect(after.get(path)?.startsWith(bytes.replace(/=*$/, "").slice(0, -1))).toBe(true);
    else expect([path, after.get(path)]).toEqual([path, bytes]);
  }
  const { run } = await verifyRun(ports, runRoot);
  expect(run).toMatchObject({ state: "completed", manifest: { report_versions: { length: 1 } } });
}, 600_000);
