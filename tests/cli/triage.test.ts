// Triage says what is true of the run as it stands, and the first command leads further.
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import { plainHalt } from "../../src/orchestrator/halts.ts";
import type { PlainHalt } from "../../src/run/log/halt.ts";
import type { RecordDraft } from "../../src/run/log/record.ts";
import type { StopRequest } from "../../src/run/log/request.ts";
import type { Finding } from "../../src/operations/look/conditions.ts";
import {
  makeCompletedRun,
  makeRun,
  temporaryFolder,
  storeSource,
  testPorts,
  TO_PAUSED,
  TO_RUNNING,
  withWriter,
} from "../operations/made-run.ts";
import { envelopeIn } from "./envelope.ts";
import { cli } from "./fake-host.ts";

const ports = testPorts();

interface Wanted {
  kind: PlainHalt["kind"];
  details?: Record<string, unknown>;
  retry_at?: string;
  /** What comes behind the halt. */
  behind?: RecordDraft[];
}

/** A run that halted so, at `<runsRoot>/dr_<kind>`. */
async function haltedRun(runsRoot: string, { kind, details = {}, retry_at, behind = [] }: Wanted): Promise<string> {
  const runRoot = await makeRun(ports, runsRoot, `dr_${kind}`);
  await withWriter(ports, runRoot, async (writer) => {
    await writer.commit([TO_RUNNING]);
    const halt = plainHalt(ports, runRoot, writer.manifest, { kind, details, retry_at });
    await writer.commit([{ kind: "halt.raised", data: { halt } }, ...behind]);
  });
  return runRoot;
}

async function told(...argv: string[]): Promise<string> {
  return (await cli(argv)).stdout;
}

type ToldFinding = Omit<Finding, "next"> & { next_commands: string[] };

async function triaged(runRoot: string): Promise<[ToldFinding, ...ToldFinding[]]> {
  const { result } = envelopeIn(await told("triage", runRoot, "--json"));
  return (result as { findings: [ToldFinding, ...ToldFinding[]] }).findings;
}

test("commands stay whatever words are in the path of the run", async () => {
  using folder = temporaryFolder();
  const runsRoot = `${folder.path}/to triage or inspect or status now`;
  const runRoot = await haltedRun(runsRoot, { kind: "no_evidence" });
  for (const verb of ["triage", "inspect", "status"])
    expect(await told(verb, runRoot)).toContain(`deep-research resume '${runRoot}'`);
  expect(await told("inspect", runRoot)).not.toContain(`deep-research inspect '`);
  expect(await told("triage", runRoot)).not.toContain(`deep-research triage '`);
});

test("triage and verify say which run they looked at, also where none was named, or it cannot be read", async () => {
  using folder = temporaryFolder();
  const root = await makeRun(ports, folder.path, "dr_1", "another-name");
  const all = ["--runs-root", folder.path];
  for (const argv of [["triage"], ["verify"], ["triage", "dr_"], ["verify", root]])
    expect(await told(...argv, ...(argv[1] === root ? [] : all))).toMatch(/^.+\n {2}run +dr_1\n/);
  fs.rmSync(`${root}/manifest.json`);
  fs.writeFileSync(`${root}/journal.jsonl`, "{}\n{}\n");
  expect(await told("triage", root)).toMatch(new RegExp(`^.+\n {2}run +${root}\n`));
});

describe("triage --all says why, what to see to first, and the command", () => {
  const model = "compatible:scripted";
  const cases: [Wanted, string[]][] = [
    [
      {
        kind: "no_evidence",
        details: {
          reason: "nothing answers it",
          looked_for: [{ part: "moons", terms: ["moons"] }],
          searched: [{ corpus: "docs", documents: 3 }],
        },
      },
      ["nothing answers it: moons (as moons)", "search again, once the corpus has more documents", "resume"],
    ],
    [
      { kind: "no_evidence", details: { reason: "the web is silent", searched: [] } },
      ["the web is silent", "search again, once more providers are set up in your configuration", "resume"],
    ],
    [
      {
        kind: "budget",
        details: { reason: "the budget is spent", budget: "max_calls", limit: 8, would_be: 9 },
      },
      ["the budget is spent: the limit is 8 calls", "allow more and continue", "resume --max-calls 18"],
    ],
    [
      { kind: "budget", details: { reason: "not known", budget: "max_cost_usd", unknown_price: model } },
      ["not known", `continue, once prices in your configuration has ${model}`, "resume"],
    ],
    [
      { kind: "quota", details: { reason: "429: used up", model } },
      ["429: used up", "try again, once the account allows it; the provider names no time", "resume"],
    ],
    [
      { kind: "quota", details: { reason: "429: slow down", model }, retry_at: "2030-01-02T03:04:05.000Z" },
      ["until 2030-01-02 03:04:05 UTC: 429: slow down", "nothing to do: continues by itself after 03:04:05 UTC"],
    ],
    [
      { kind: "gate_blocked", details: { reason: "402: pay first", model, status: 402 } },
      ["402: pay first", "try again, once its key and account are in order", "resume"],
    ],
    [
      {
        kind: "gate_blocked",
        details: { reason: "a step failed", steps: [{ key: "wave1:a", error: { message: "it broke" } }] },
      },
      ["a step failed: wave1:a: it broke", "try again, once the problem above is fixed", "resume"],
    ],
    [
      {
        kind: "drift",
        details: {
          differences: [{ what: "corpus", frozen: `sha256:${"a".repeat(64)}`, found: `sha256:${"b".repeat(64)}` }],
        },
      },
      [
        "corpus changed: was sha256:aaaaaaaa..., is sha256:bbbbbbbb...",
        "continue with what is there now",
        "resume --on-drift continue",
      ],
    ],
  ];
  for (const [wanted, lines] of cases) {
    test(`${wanted.kind}: ${lines[0]}`, async () => {
      using folder = temporaryFolder();
      const runRoot = await haltedRun(folder.path, wanted);
      const [verb = "", ...flags] = (lines.at(-1) ?? "").split(" ");
      const command = lines.at(-1)?.startsWith("nothing")
        ? lines.at(-1)
        : ["deep-research", verb, runRoot, ...flags].join(" ");
      const [, ...shown] =
        (await told("triage", "--all", "--runs-root", folder.path)).split("\n\n")[0]?.split("\n") ?? [];
      expect(shown.map((line) => line.trim())).toEqual([...lines.slice(0, -1), command ?? ""]);
    });
  }
});

test("where a report does not exist, the advice is the same", async () => {
  using folder = temporaryFolder();
  const advised = async (name: string, searched: object[]): Promise<string> => {
    const runRoot = await haltedRun(`${folder.path}/${name}`, { kind: "no_evidence", details: { searched } });
    const { code, stderr } = await cli(["report", "show", runRoot]);
    expect(code).toBe(3);
    return stderr;
  };
  expect(await advised("folders", [{ corpus: "docs", documents: 3 }])).toContain(
    "search again, once the corpus has more documents",
  );
  expect(await advised("web", [])).toContain("search again, once more providers are set up");
});

describe("a halt that time ends", () => {
  const quota: Wanted = { kind: "quota", retry_at: "2030-01-02T03:04:05.000Z" };

  test("needs nobody while ticks take the run", async () => {
    using folder = temporaryFolder();
    const [finding] = await triaged(await haltedRun(folder.path, quota));
    expect([finding.needs_attention, finding.next_commands[0]?.split(" ")[1]]).toEqual([false, "resume"]);
  });

  test("says when its time has come", async () => {
    using folder = temporaryFolder();
    const runRoot = await haltedRun(folder.path, { ...quota, retry_at: "2020-01-02T03:04:05.000Z" });
    expect(await told("triage", runRoot)).toStartWith("The time that the run waited for has come");
    const all = await told("triage", "--all", "--runs-root", folder.path);
    expect(all).toContain(
      "its time has come, at 2020-01-02 03:04:05 UTC\n  nothing to do: the next tick continues it\n",
    );
  });

  test("needs attention in a run that was paused: no tick continues with it, and none is offered", async () => {
    using folder = temporaryFolder();
    const runRoot = await haltedRun(folder.path, { ...quota, behind: [TO_PAUSED] });
    const [finding] = await triaged(runRoot);
    expect(finding).toMatchObject({ condition: "halted", needs_attention: true, why: { state: "paused" } });
    expect(finding.next_commands[0]).toBe(`deep-research resume ${runRoot}`);
    expect((await cli(["tick", runRoot])).code).toBe(1);
  });
});

describe("a request that waits", () => {
  const asked = (kind: StopRequest["kind"]): StopRequest => ({
    schema_version: "request.v1",
    request_id: `${kind}-1`,
    kind,
    reason: "test",
    requested_at: "2026-01-01T00:00:00.000Z",
  });

  async function withRequest(runRoot: string, kind: StopRequest["kind"]): Promise<unknown> {
    await ports.store.request(runRoot, asked(kind));
    return (await triaged(runRoot)).find(({ condition }) => condition === "request_waits");
  }

  test("is heeded by the next tick of a run that ticks take", async () => {
    using folder = temporaryFolder();
    const runRoot = await makeRun(ports, folder.path, "dr_1");
    await withWriter(ports, runRoot, async (writer) => void (await writer.commit([TO_RUNNING])));
    expect(await withRequest(runRoot, "pause")).toMatchObject({ needs_attention: false });
  });

  test("needs attention where no tick comes, and the command does it", async () => {
    using folder = temporaryFolder();
    const runRoot = await haltedRun(folder.path, { kind: "no_evidence" });
    expect(await withRequest(runRoot, "pause")).toMatchObject({
      needs_attention: true,
      next_commands: [`deep-research pause ${runRoot}`],
    });
    const abort = `deep-research abort ${runRoot} --yes`;
    expect(await withRequest(runRoot, "abort")).toMatchObject({ needs_attention: true, next_commands: [abort] });
    expect((await cli(abort.split(" ").slice(1))).code).toBe(0);
    expect((await triaged(runRoot)).map(({ condition }) => condition)).toEqual(["aborted"]);
  });

  test("to pause a paused run is not told", async () => {
    using folder = temporaryFolder();
    const runRoot = await makeRun(ports, folder.path, "dr_1");
    await withWriter(ports, runRoot, async (writer) => void (await writer.commit([TO_RUNNING, TO_PAUSED])));
    expect(await withRequest(runRoot, "pause")).toBeUndefined();
  });
});

test("steps that failed are tried again only in a run that can continue", async () => {
  using folder = temporaryFolder();
  const runRoot = await makeRun(ports, folder.path, "dr_1");
  const key = "init:check";
  const inputs_digest = `sha256:${"0".repeat(64)}` as const;
  const error = { code: "INTERNAL", message: "it broke", retryable: true };
  await withWriter(ports, runRoot, async (writer) => {
    await writer.commit([
      TO_RUNNING,
      { kind: "step.started", data: { key, stage: "init", attempt: 1, inputs_digest } },
      { kind: "step.failed", data: { key, stage: "init", attempt: 1, error } },
    ]);
  });
  expect(await told("triage", runRoot)).toContain("tried again when the run continues");
  const failed = { kind: "state.changed" as const, data: { from: "running", to: "failed", reason: "test" } as const };
  await withWriter(ports, runRoot, async (writer) => void (await writer.commit([failed])));
  const text = await told("triage", runRoot);
  expect(text).not.toContain("tried again");
  expect(text).toContain(`next:\n  a new run that keeps the finished steps\n    deep-research fork ${runRoot}\n`);
});

test("what a failed run has found can still become a report", async () => {
  using folder = temporaryFolder();
  const failed = { kind: "state.changed" as const, data: { from: "running", to: "failed", reason: "test" } as const };
  const texts = [];
  for (const sources of [0, 1]) {
    const runRoot = await makeRun(ports, folder.path, `dr_${sources}`);
    await withWriter(ports, runRoot, async (writer) => {
      await writer.commit([TO_RUNNING]);
      if (sources > 0) await storeSource(writer, "Zod parses.", "zod.md");
      await writer.commit([failed]);
    });
    texts.push(await told("triage", runRoot));
  }
  const way = `write a report from what was found\n    deep-research report generate ${folder.path}/dr_`;
  expect(texts.map((text) => text.includes(way))).toEqual([false, true]);
});

test("a run whose owner has no tick open is held", async () => {
  using folder = temporaryFolder();
  const runRoot = await makeRun(ports, folder.path, "dr_1");
  await withWriter(ports, runRoot, async (writer) => {
    await writer.commit([TO_RUNNING]);
    expect((await triaged(runRoot))[0].condition).toBe("held");
  });
  expect((await triaged(runRoot))[0].condition).toBe("between_ticks");
});

describe("damage that a look meets", () => {
  const places: [string, (runRoot: string) => void, string][] = [
    ["an altered manifest", altered, "the digest does not fit"],
    ["a torn manifest", (root) => fs.truncateSync(`${root}/manifest.json`, 40), "not JSON"],
    [
      "a journal that only quarantine has",
      (root) => {
        fs.mkdirSync(`${root}/quarantine`, { recursive: true });
        fs.renameSync(`${root}/journal.jsonl`, `${root}/quarantine/journal.1`);
      },
      "nothing; its chain is in quarantine",
    ],
  ];

  function altered(runRoot: string): void {
    const path = `${runRoot}/manifest.json`;
    fs.writeFileSync(path, fs.readFileSync(path, "utf8").replace('"standard"', '"quick"'));
  }

  for (const [name, damage, found] of places) {
    test(`${name} is shown by list, status and triage, and gone after a repair`, async () => {
      using folder = temporaryFolder();
      const runRoot = await makeCompletedRun(ports, folder.path, "dr_1");
      const all = ["--runs-root", folder.path];
      const shown = async (): Promise<boolean[]> => [
        (await told("list", ...all)).includes("completed, damaged"),
        (await told("status", runRoot)).includes(found),
        (await told("triage", runRoot)).startsWith("What is stored does not verify."),
        (await told("triage", "--all", ...all)).startsWith("dr_1  damaged"),
      ];
      expect(await shown()).toEqual([false, false, false, false]);
      damage(runRoot);
      expect(await shown()).toEqual([true, true, true, true]);
      expect((await triaged(runRoot)).map(({ condition }) => condition)).toEqual(["damaged", "completed"]);
      expect((await cli(["verify", runRoot])).code).toBe(12);
      expect((await cli(["repair", runRoot])).code).toBe(0);
      expect(await shown()).toEqual([false, false, false, false]);
    });
  }

  test("a journal that ends too early: what is left of it is shown, and no process works on it", async () => {
    using folder = temporaryFolder();
    const runRoot = await makeCompletedRun(ports, folder.path, "dr_1");
    const path = `${runRoot}/journal.jsonl`;
    const lines = fs.readFileSync(path, "utf8").trimEnd().split("\n");
    const count = lines.length;
    const cut = (left: number): void => fs.writeFileSync(path, `${lines.slice(0, left).join("\n")}\n`);
    // With the manifest that knows more, and without it.
    for (const prepare of [() => {}, () => fs.rmSync(`${runRoot}/manifest.json`)]) {
      prepare();
      cut(count - 4);
      const { code, stdout } = await cli(["status", "dr_1", "--runs-root", folder.path]);
      expect([code, stdout.includes(`journal.jsonl: `)]).toEqual([0, true]);
      expect((await told("list", "--runs-root", folder.path)).split("\n")[0]).toContain(", damaged");
      expect((await triaged(runRoot)).map(({ condition }) => condition)).toEqual(["damaged"]);
      for (const verb of ["run", "tick", "resume", "pause", "fork"])
        expect([verb, (await cli([verb, runRoot])).code]).toEqual([verb, 12]);
    }
    // Nothing is left to show.
    fs.writeFileSync(path, "");
    expect((await cli(["status", runRoot])).code).toBe(12);
    expect(await told("list", "--runs-root", folder.path)).toContain("INTEGRITY_ERROR");
  });

  test("a source that no repair brought back is told by every look until it is there again", async () => {
    using folder = temporaryFolder();
    const runRoot = await makeCompletedRun(ports, folder.path, "dr_1");
    const [source = ""] = fs.readdirSync(`${runRoot}/sources`);
    const path = `sources/${source}`;
    const bytes = fs.readFileSync(`${runRoot}/${path}`);
    const all = ["--runs-root", folder.path];
    const shown = async (): Promise<boolean[]> => [
      (await told("list", ...all)).includes("completed, damaged"),
      (await told("status", runRoot)).includes(`${path} is missing`),
      (await told("triage", runRoot)).startsWith("What is stored does not verify."),
      (await told("triage", "--all", ...all)).startsWith("dr_1  damaged"),
      (await cli(["report", "show", runRoot])).stderr.includes(`${path} is missing`),
    ];
    fs.rmSync(`${runRoot}/${path}`);
    // These looks read no source (report show reads those that it quotes); the repair reads all and writes down what it found.
    expect((await shown()).slice(0, 4)).toEqual([false, false, false, false]);
    expect((await cli(["repair", runRoot])).code).toBe(12);
    expect(await shown()).toEqual([true, true, true, true, true]);
    expect((await cli(["repair", runRoot])).code).toBe(12);
    fs.writeFileSync(`${runRoot}/${path}`, "other bytes");
    expect((await ports.store.look(runRoot)).problems[0]?.found).toStartWith("sha256:");
    const output = ["--output", `${folder.path}/report.md`];
    const refused = await cli(["report", "export", runRoot, ...output]);
    expect([refused.code, fs.existsSync(`${folder.path}/report.md`)]).toEqual([12, false]);
    const { stderr } = await cli(["report", "show", runRoot, "--allow-damaged"]);
    const exported = await cli(["report", "export", runRoot, ...output, "--allow-damaged"]);
    const looks = [stderr, exported.stderr, await told("status", runRoot), await told("triage", runRoot)];
    for (const words of [...looks, await told("triage", "--all", ...all)]) {
      expect(words).toContain(`${path} is altered`);
      expect(words).not.toContain("sha256:");
    }
    fs.writeFileSync(`${runRoot}/${path}`, bytes);
    expect(await shown()).toEqual([false, false, false, false, false]);
    expect((await cli(["verify", runRoot])).code).toBe(0);
  });

  const selected = async (runRoot: string): Promise<void> =>
    await withWriter(
      ports,
      runRoot,
      async (writer) => void (await writer.commit([{ kind: "report.selected", data: { version_index: 1 } }])),
    );

  test("a manifest that is missing or behind is no damage", async () => {
    using folder = temporaryFolder();
    const runRoot = await makeCompletedRun(ports, folder.path, "dr_1");
    const behind = fs.readFileSync(`${runRoot}/manifest.json`);
    await selected(runRoot);
    fs.writeFileSync(`${runRoot}/manifest.json`, behind);
    expect((await ports.store.look(runRoot)).problems).toEqual([]);
    fs.rmSync(`${runRoot}/manifest.json`);
    expect((await ports.store.look(runRoot)).problems).toEqual([]);
  });

  test("a manifest of another history is damage", async () => {
    using folder = temporaryFolder();
    const runRoot = await makeCompletedRun(ports, folder.path, "dr_1");
    const other = `${folder.path}/other`;
    fs.cpSync(runRoot, other, { recursive: true });
    for (const root of [runRoot, other]) await selected(root);
    fs.copyFileSync(`${other}/manifest.json`, `${runRoot}/manifest.json`);
    const [problem] = (await ports.store.look(runRoot)).problems;
    expect(problem?.found).toEndWith("of another history");
    expect((await cli(["verify", runRoot])).code).toBe(12);
  });
});

test("a model server that is away is the cause that every look names, and its sentence stands once", async () => {
  using folder = temporaryFolder();
  const message = "MODEL_FAILED: http://127.0.0.1:9/v1 cannot be reached or broke off (ECONNREFUSED)";
  const error = { code: "MODEL_FAILED", message, retryable: true, goes_on: true, unreachable: true };
  const details = { reason: `step plan failed 3 times: ${message}`, steps: [{ key: "plan", error }] };
  const runRoot = await haltedRun(folder.path, { kind: "gate_blocked", details });
  const headline = "stopped: the model server does not answer";
  const status = await told("status", runRoot);
  expect(status).toContain(`dr_gate_blocked  ${headline} (needs you)\n`);
  expect(status).toContain(`  reason        ${details.reason}\n`);
  const triage = await told("triage", runRoot);
  const all = await told("triage", "--all", "--runs-root", folder.path);
  expect(await told("list", "--runs-root", folder.path)).toContain(headline);
  expect(all).toContain(`${headline}, in set-up`);
  const { stderr } = await cli(["tick", runRoot]);
  for (const words of [status, triage, stderr]) expect(words.split(message)).toHaveLength(2);
});

test("a run at work shows the use of its stage limit and times as status does", async () => {
  using folder = temporaryFolder();
  const runRoot = await makeRun(ports, folder.path, "dr_1");
  await withWriter(ports, runRoot, async (writer) => {
    await writer.commit([TO_RUNNING]);
    const words = await told("triage", runRoot);
    expect(words).toMatch(/\n {2}stage limit +0 of \d+ s used\n/);
    expect(words).toMatch(/\n {2}since +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\n/);
    for (const inside of ["timer origin", "timed out", "measured"]) expect(words).not.toContain(inside);
  });
});

test("a halt is asked for by its option, and a start without documents names where they go", async () => {
  for (const word of ["stopped", "halted"]) {
    const { code, stderr } = await cli(["list", "--state", word]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("did you mean --halted?")]);
  }
  const { stderr } = await cli(["start", "What is a tide?", "--runs-root", "/nowhere/runs"]);
  expect(stderr).toEndWith('deep-research start "<question>" --corpus PATH\n');
});
