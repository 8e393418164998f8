// Commands that work on runs: events, progress, signals, input at the door; over a small corpus and the local driver.
import { describe, expect, test } from "bun:test";
import { eventSchema } from "../../src/surface/schemas.ts";
import { eventsOf } from "../../src/surface/events.ts";
import { questionAmong } from "../../src/cli/options/run-options.ts";
import { OutputQueue } from "../../src/cli/terminal/output-queue.ts";
import { progressDisplay } from "../../src/cli/terminal/progress.ts";
import { ProgressView } from "../../src/cli/terminal/progress-view.ts";
import { PLAIN } from "../../src/cli/terminal/style.ts";
import { takeSignals } from "../../src/cli/signals.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
  testPorts,
  tickStarted,
  TO_RUNNING,
  UPTIME_STEP_MS,
  withWriter,
} from "../operations/made-run.ts";
import { cli, ExitNow, FakeHost } from "./fake-host.ts";
import { envelopeIn } from "./envelope.ts";

const QUESTION = "How are command line options parsed?";

async function corpus(): Promise<TemporaryFolder & { docs: string; runs: string }> {
  const folder = temporaryFolder();
  const docs = `${folder.path}/docs`;
  await Bun.write(
    `${docs}/options.md`,
    "# Options\n\nCommand line options are parsed from left to right. An option begins with a dash.\nOptions that take a value are parsed with the next word.\n",
  );
  await Bun.write(
    `${docs}/values.md`,
    "# Values\n\nA command line value is parsed as text unless the option says otherwise.\n",
  );
  return Object.assign(folder, { docs, runs: `${folder.path}/runs` });
}

describe("start --jsonl", () => {
  test("whose reader leaves ends as the run does, and says so; a stream that fails otherwise is an error", async () => {
    using folder = await corpus();
    const start = async (errno: string, runId: string) =>
      await cli(
        ["start", QUESTION, "--corpus", folder.docs, "--runs-root", folder.runs, "--jsonl", "--run-id", runId],
        { stdoutError: Object.assign(new Error(errno), { code: errno }) },
      );
    const left = await start("EPIPE", "left");
    expect([left.code, left.stderr]).toEqual([0, "the reader of the events left; the work continued without one\n"]);
    expect((await testPorts().store.look(`${folder.runs}/left`)).manifest.execution_state).toBe("completed");
    const full = await start("ENOSPC", "full");
    expect([full.code, full.stderr]).toEqual([1, expect.stringContaining("[WRITE_FAILED]")]);
    // Halts keep their status.
    const halted = await cli(
      ["start", "Where do penguins sleep?", "--corpus", folder.docs, "--runs-root", folder.runs, "--jsonl"],
      { stdoutError: Object.assign(new Error("EPIPE"), { code: "EPIPE" }) },
    );
    expect([halted.code, halted.stderr]).toEqual([3, expect.stringContaining("[NO_EVIDENCE]")]);
  });

  test("prints durable records in order, the result last, and the report once", async () => {
    using folder = await corpus();
    const { code, stdout, stderr } = await cli([
      "start",
      QUESTION,
      "--corpus",
      folder.docs,
      "--runs-root",
      folder.runs,
      "--jsonl",
    ]);
    expect([code, stderr]).toEqual([0, ""]);
    const lines = stdout.trimEnd().split("\n");
    const { contract, ok } = envelopeIn(`${lines.at(-1)}\n`);
    expect(ok).toBe(true);
    const events = lines.slice(0, -1).map((line) => eventSchema.parse(JSON.parse(line)));
    const seqs = events.map(({ seq }) => seq ?? 0);
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
    const published = events.filter(({ event }) => event === "report.published");
    expect(published).toHaveLength(1);
    const completed = events.find(({ event, data }) => event === "state.changed" && data["to"] === "completed");
    expect([published[0]?.seq, published[0]?.digest]).toEqual([completed?.seq, completed?.digest]);
    const records = await testPorts().store.records(contract.run_root ?? "");
    const digests = new Map(records.map(({ seq, digest }) => [seq, digest]));
    for (const { seq, digest } of events) expect(digests.get(seq ?? 0)).toBe(digest as never);
    for (const line of lines) expect(line.length).toBeLessThan(20_000);
  });
});

describe("start in text", () => {
  test("says on stderr what happens, and on stdout where the report is", async () => {
    using folder = await corpus();
    await Bun.write(`${folder.docs}/empty.md`, "");
    const { code, stdout, stderr } = await cli([
      "start",
      QUESTION,
      "--corpus",
      folder.docs,
      "--runs-root",
      folder.runs,
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain("reports/1/report.md");
    expect(stdout).toContain("deep-research verify /");
    expect(stdout).toContain(`${folder.docs}: 2 documents, 1 passed over (1 empty); --json names each\n`);
    expect(stderr).toContain("gate A passed");
    expect(stderr).not.toContain("\u001b");
  });

  test("--quiet says nothing on stderr; a terminal gets live lines that are taken away", async () => {
    using folder = await corpus();
    const line = ["start", QUESTION, "--corpus", folder.docs, "--runs-root", folder.runs];
    expect((await cli([...line, "--quiet"])).stderr).toBe("");
    const { stderr } = await cli([...line, "--no-color"], { terminals: ["stderr"] });
    expect(stderr).toMatch(/[\r\n]\[\d+\/10\] [\w -]+ \| /);
    expect(stderr).toEndWith("\u001b[K\u001b[J");
  });
});

test("the live lines are drawn at most ten times a second", async () => {
  const host = new FakeHost([], { terminals: ["stderr"] });
  let uptimeMs = 0;
  const clock = { ...testPorts().clock, uptimeMs: () => uptimeMs, every: () => ({ stop() {} }) };
  const stderr = new OutputQueue({ host, stream: "stderr", clock });
  const display = progressDisplay({
    host,
    isLive: host.isTerminal("stderr"),
    stderr,
    clock,
    style: PLAIN,
    titlesOf: async () => new Map(),
  });
  for (; uptimeMs < 1000; uptimeMs++) {
    display.observer.onSay?.("wave1:overview", `at ${uptimeMs}`);
    await stderr.whenEmpty();
  }
  await display.end();
  expect(host.stderr.match(/overview/g)).toHaveLength(10);
});

test("the same run id, question and settings continue with that run; others are refused", async () => {
  using folder = await corpus();
  const line = (question: string) => [
    "start",
    question,
    "--corpus",
    folder.docs,
    "--runs-root",
    folder.runs,
    "--run-id",
    "mine",
    "--json",
  ];
  expect(envelopeIn((await cli(line(QUESTION))).stdout).ok).toBe(true);
  expect(envelopeIn((await cli(line(QUESTION))).stdout).result).toMatchObject({ already: "already_completed" });
  const other = await cli(line("Another question about options?"));
  expect([other.code, envelopeIn(other.stdout).error?.code]).toEqual([2, "ALREADY_EXISTS"]);
});

describe("input at the door", () => {
  const refused = async (argv: string[], exit: number, code: string): Promise<void> => {
    using folder = await corpus();
    const { code: status, stdout } = await cli([
      ...argv.map((word) => word.replace("DOCS", folder.docs)),
      "--runs-root",
      folder.runs,
      "--json",
    ]);
    expect([argv.at(-1)?.slice(0, 20), status, envelopeIn(stdout).error?.code]).toEqual([
      argv.at(-1)?.slice(0, 20),
      exit,
      code as never,
    ]);
  };

  test("questions", async () => {
    await refused(["init", "--corpus", "DOCS"], 2, "INVALID_ARGS");
    await refused(["init", "", "--corpus", "DOCS"], 2, "INVALID_ARGS");
    await refused(["init", " \n\t", "--corpus", "DOCS"], 2, "INVALID_ARGS");
    await refused(["init", "bell \u0007", "--corpus", "DOCS"], 2, "INVALID_ARGS");
    await refused(["init", "x".repeat(16 * 1024 + 1), "--corpus", "DOCS"], 2, "INPUT_TOO_LARGE");
  });

  test("run ids", async () => {
    await refused(["init", "q", "--corpus", "DOCS", "--run-id", "../x"], 2, "PATH_TRAVERSAL");
    await refused(["status", "--run-id", "../x"], 2, "INVALID_ARGS");
    await refused(["status", "../x"], 10, "NOT_FOUND");
  });

  test("drivers without their model or bundle, and providers that are not set up", async () => {
    for (const driver of ["live", "fixture"])
      await refused(["init", "q", "--corpus", "DOCS", "--driver", driver], 2, "INVALID_ARGS");
    for (const provider of ["web", "mcp"])
      await refused(["init", "q", "--corpus", "DOCS", "--provider", provider], 2, "INVALID_ARGS");
  });

  test("a corpus that is missing", async () => {
    await refused(["init", "q", "--corpus", "/nowhere/at/all"], 2, "INVALID_ARGS");
    await refused(["init", "q"], 2, "INVALID_ARGS");
  });
});

test("a question behind --corpus is found when it reads like one", () => {
  expect(questionAmong("q", ["a", "b c"])).toEqual({ question: "q", corpus: ["a", "b c"] });
  expect(questionAmong(undefined, ["a", "how so"])).toEqual({ question: "how so", corpus: ["a"] });
  expect(questionAmong(undefined, ["a", "why?"])).toEqual({ question: "why?", corpus: ["a"] });
  for (const corpus of [[], ["a"], ["a b"], ["a", "b"]])
    expect(questionAmong(undefined, corpus)).toEqual({ question: undefined, corpus });
});

describe("signals", () => {
  test("the first one aborts with its name, the second one leaves at once", () => {
    for (const [name, exit] of [
      ["SIGINT", 130],
      ["SIGTERM", 143],
    ] as const) {
      const host = new FakeHost([]);
      const { interrupt, terminate } = takeSignals(host);
      const [own, other] = name === "SIGINT" ? [interrupt, terminate] : [terminate, interrupt];
      host.fire(name);
      expect([own.aborted, other.aborted]).toEqual([true, false]);
      expect(own.reason).toMatchObject({ code: "INTERRUPTED_BY_SIGNAL", facts: { signal: name } });
      let left: unknown = null;
      try {
        host.fire(name);
      } catch (error) {
        left = error;
      }
      expect(left).toBeInstanceOf(ExitNow);
      expect((left as ExitNow).code).toBe(exit);
    }
  });

  test("only work takes them over", async () => {
    using folder = await corpus();
    expect((await cli(["list", "--runs-root", folder.runs])).host.listenedSignals).toEqual([]);
    const { host } = await cli(["start", QUESTION, "--corpus", folder.docs, "--runs-root", folder.runs, "--quiet"]);
    expect(host.listenedSignals.sort()).toEqual(["SIGINT", "SIGTERM"]);
  });
});

test("tick --all and watchdog look at every run and end with 0 when nothing is wrong", async () => {
  using folder = await corpus();
  await cli(["init", QUESTION, "--corpus", folder.docs, "--runs-root", folder.runs]);
  for (const argv of [["tick", "--all", "--jobs", "2"], ["watchdog"]]) {
    const { code, stdout } = await cli([...argv, "--runs-root", folder.runs, "--json"]);
    expect([code, envelopeIn(stdout).ok]).toEqual([0, true]);
  }
});

test("a sweep of the watchdog names the runs that it ended", async () => {
  using folder = await corpus();
  const environment = { DEEP_RESEARCH_STAGE_TIMEOUT_SECONDS: "0.001" };
  const common = ["--corpus", folder.docs, "--runs-root", folder.runs];
  const ports = testPorts();
  for (const id of ["a", "b"]) {
    await cli(["init", QUESTION, "--run-id", id, ...common], { environment });
    await withWriter(
      ports,
      `${folder.runs}/${id}`,
      async (writer) => void (await writer.commit([TO_RUNNING, tickStarted(ports)])),
    );
  }
  await Bun.sleep(UPTIME_STEP_MS * 2);
  const { code, stderr } = await cli(["watchdog", "--strict", "--runs-root", folder.runs]);
  expect(code).toBe(1);
  for (const id of ["a", "b"]) expect(stderr).toContain(`deep-research triage ${folder.runs}/${id}`);
  expect(stderr).not.toContain("<run>");
  expect((await cli(["status", "a", "--runs-root", folder.runs])).stdout).toContain(
    "Its finished steps are kept for a fork.",
  );
});

test("events carry no results and no file contents", async () => {
  using folder = await corpus();
  await cli(["start", QUESTION, "--corpus", folder.docs, "--runs-root", folder.runs, "--run-id", "mine", "--quiet"]);
  const records = await testPorts().store.records(`${folder.runs}/mine`);
  const events = records.flatMap(eventsOf);
  expect(events.filter(({ event }) => event === "step.completed").length).toBeGreaterThan(5);
  for (const { event, data } of events)
    if (event === "step.completed") expect(Object.keys(data as object)).not.toContain("value");
  const view = new ProgressView(0);
  for (const record of records) view.note(record);
  expect(view.lines(1000, 100, 9)[0]).toContain("[10/10] report");
});
