// The processes that work for the console: one that is killed is told as that, and none shows on its command line what was asked.
import { expect, test } from "bun:test";
import { childrenOf, commandLinesDuring, killNextWorker } from "../crash/children.ts";
import { Host } from "../crash/real-processes.ts";
import { QUESTION } from "../simulation/run-world.ts";
import { until } from "./called-console.ts";
import { Served } from "./served.ts";

const TIMEOUT_MS = 600_000;

async function completedRun(host: Host, served: Served, run: string): Promise<void> {
  await served.start(host, run);
  await until(
    () => served.ask("GET", `/api/runs/${run}`),
    ({ body }) => (body["execution_state"] as unknown) === "completed",
  );
}

test(
  "a worker that is killed before its first record: 503 that names the run, and the same request again does it",
  async () => {
    using host = new Host();
    await using served = await Served.open(host, "--port", "0");
    await completedRun(host, served, "done");
    await host.cli("init", QUESTION, "--corpus", host.corpus, "--run-id", "idle", "--json").ended;
    const asked: [path: string, body: object, run: string][] = [
      ["/api/runs", { question: QUESTION, corpus: [host.corpus], run_id: "new" }, "new"],
      ["/api/runs/idle/resume", {}, "idle"],
      ["/api/runs/done/fork", {}, "done"],
      ["/api/runs/done/fork", { run_id: "forked" }, "forked"],
      ["/api/runs/done/generate", {}, "done"],
    ];
    for (const [path, body, run] of asked) {
      const [answer] = await Promise.all([served.ask("POST", path, body), killNextWorker(served.pid)]);
      expect([path, answer.status, answer.body["run_id"] as unknown]).toEqual([path, 503, run]);
      expect(answer.body["error"]).toMatchObject({ code: "WORKER_KILLED", retryable: true });
      const again = await served.ask("POST", path, body);
      expect([path, again.body["error"] ?? null, again.status < 300]).toEqual([path, null, true]);
    }
  },
  TIMEOUT_MS,
);

test(
  "the command line of a worker names the command and nothing that a person said",
  async () => {
    using host = new Host();
    await using served = await Served.open(host, "--port", "0");
    const secret = "SECRETWORD";
    const body = { question: `Is ${secret} true?`, corpus: [host.corpus], run_id: "quiet" };
    const asked: [path: string, body: object][] = [
      ["/api/runs", body],
      ["/api/runs", { ...body, run_id: "other", audience: secret, model: `compatible:${secret}` }],
      ["/api/runs/quiet/fork", { question: `And ${secret}?` }],
    ];
    const lines: string[] = [];
    for (const [path, given] of asked)
      lines.push(...(await commandLinesDuring(served.pid, served.ask("POST", path, given))));
    expect(lines.filter((line) => line.includes("__asked start"))).not.toEqual([]);
    expect(lines.filter((line) => line.includes("__asked fork"))).not.toEqual([]);
    expect(lines.filter((line) => line.includes(secret) || line.includes(host.corpus))).toEqual([]);
    // Control: this sees command lines.
    expect(childrenOf(process.pid).some(({ commandLine }) => commandLine.includes(host.runsRoot))).toBe(true);
  },
  TIMEOUT_MS,
);
