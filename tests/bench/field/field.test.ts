// The tasks of three public benchmarks, in their forms but of our own, run against a scripted model, interrupted and continued.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cli } from "../../cli/fake-host.ts";
import { wellBehaved } from "../../live/well-behaved.ts";
import { scriptedServer, type ScriptedServer } from "../../models/scripted-server.ts";
import { DOCUMENTS } from "../../simulation/run-world.ts";
import { PROJECT } from "../fixtures.ts";
import type { Cli } from "../kept-run.ts";
import { articleOf } from "./article.ts";
import { measure, nameOf, type Measuring } from "./measure.ts";
import { totalOf } from "./submission.ts";
import { readTasks, TasksFault, type SetName } from "./tasks.ts";

const TASKS = import.meta.dir;
const MODEL = "compatible:scripted";

let server: ScriptedServer;
let folder = "";
beforeAll(async () => {
  server = await scriptedServer(wellBehaved);
  folder = mkdtempSync(join(tmpdir(), "deep-research-field-"));
  mkdirSync(join(folder, "docs"));
  for (const [name, text] of DOCUMENTS) writeFileSync(join(folder, "docs", name), text);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const inProcess: Cli = async (argv, input = "") => {
  const { code, stdout } = await cli(argv, { workingFolder: folder, answer: input, environment: { HOME: folder } });
  return { code, json: JSON.parse(stdout) as unknown };
};

function measuring(set: SetName, more: Partial<Measuring> = {}): Measuring {
  return {
    cli: inProcess,
    set,
    tasks: readTasks(set, join(TASKS, `${set}.jsonl`)),
    model: MODEL,
    baseUrl: server.baseUrl,
    options: ["--corpus", "docs", "--mode", "quick"],
    out: join(folder, set),
    say: () => {},
    ...more,
  };
}

function read(path: string): string {
  return readFileSync(path, "utf8");
}

describe("ten tasks become a submission that the evaluator takes", () => {
  test("DeepResearch Bench: a line for each with its own id and prompt", async () => {
    const { submission, isComplete, done } = await measure(measuring("drb"));
    expect(isComplete).toBe(true);
    expect(submission).toEndWith("submission/scripted.jsonl");
    const lines = read(submission).trimEnd().split("\n");
    const articles = lines.map((line) => JSON.parse(line) as { id: number; prompt: string; article: string });
    const asked = read(join(TASKS, "drb.jsonl")).trimEnd().split("\n");
    expect(articles.map(({ id, prompt }) => ({ id, prompt }))).toEqual(
      asked.map((line) => JSON.parse(line) as { id: number; prompt: string }).map(({ id, prompt }) => ({ id, prompt })),
    );
    for (const { article } of articles) {
      // The third form of citation that the evaluator reads: [source](link).
      expect(article).toMatch(/\S \[\d+\]\(docs\/[a-z]+\.md\)/);
      expect(article).toMatch(/\n## (References|参考文献)\n\n1\. \[[^\]]+\]\(docs\/[a-z]+\.md\)\n/);
    }
    const usage = JSON.parse(read(join(folder, "drb/usage.json"))) as { total: object; tasks: { calls: number }[] };
    expect(usage.tasks.map(({ calls }) => calls).every((calls) => calls > 0)).toBe(true);
    expect(usage.total).toEqual(totalOf(done));
    expect(totalOf(done)).toMatchObject({ tasks: 10, reports: 10, cost_usd: null });
  }, 120_000);

  test("DeepResearch Bench II: idx-<idx>.md in a folder of the model; no rubric reaches a model", async () => {
    const from = server.requests.length;
    const { submission } = await measure(measuring("drb2"));
    expect(readdirSync(submission).sort()).toEqual(Array.from({ length: 10 }, (_, at) => `idx-${at + 1}.md`).sort());
    expect(read(join(submission, "idx-1.md"))).toStartWith("# ");
    const heard = server.requests.slice(from).map(({ body }) => JSON.stringify(body));
    expect(heard.some((text) => text.includes("What follows from it"))).toBe(true);
    expect(heard.filter((text) => text.includes("RUBRIC"))).toEqual([]);
  }, 120_000);

  test("ResearchRubrics: <sample_id>.md", async () => {
    const { submission, done } = await measure(measuring("researchrubrics"));
    expect(readdirSync(submission).sort()).toEqual(done.map(({ task }) => `${task.id}.md`).sort());
  }, 120_000);
});

describe("a run is not done twice", () => {
  test("a second pass asks no model, and other settings need another folder", async () => {
    const first = measuring("drb", { out: join(folder, "again") });
    const few = { ...first, tasks: first.tasks.slice(0, 2) };
    const before = read((await measure(few)).submission);
    const heard = server.requests.length;
    expect(read((await measure(few)).submission)).toBe(before);
    expect(server.requests.length).toBe(heard);
    const other = measure({ ...few, options: [...few.options, "--length", "brief"] });
    expect(other).rejects.toThrow(/other settings .* --out/);
  }, 60_000);

  test("interrupted by a signal in the middle of a run, the same line continues with it", async () => {
    const out = join(folder, "interrupted");
    const own = `--set researchrubrics --limit 2 --mode quick --model ${MODEL} --model-base-url ${server.baseUrl}`;
    const places = ["--tasks", join(TASKS, "researchrubrics.jsonl"), "--out", out, "--corpus", join(folder, "docs")];
    const line = [process.execPath, join(PROJECT, "tests/bench/field.ts"), ...own.split(" "), ...places];
    const environment = { ...process.env, HOME: folder };
    const started = server.requests.length;
    const process1 = Bun.spawn(line, { stdout: "pipe", stderr: "pipe", cwd: folder, env: environment });
    await server.arrived(started + 3);
    process1.kill("SIGTERM");
    expect(await process1.exited).toBe(143);
    expect(await new Response(process1.stderr).text()).toContain("The same line continues.");
    const heard = server.requests.slice(started).map(({ body }) => JSON.stringify(body));

    const process2 = Bun.spawn(line, { stdout: "pipe", stderr: "pipe", cwd: folder, env: environment });
    expect(await process2.exited).toBe(0);
    expect(await new Response(process2.stdout).text()).toMatch(/\| all \| 2 reports \|/);
    expect(readdirSync(join(out, "runs")).filter((name) => name.startsWith("researchrubrics-"))).toHaveLength(2);
    const whole = await measure(
      measuring("researchrubrics", { tasks: measuring("researchrubrics").tasks.slice(0, 2) }),
    );
    for (const { task } of whole.done)
      expect(read(join(out, "submission", `${task.id}.md`))).toBe(read(join(whole.submission, `${task.id}.md`)));
    // The plan was stored before the signal came: it is not asked for again.
    const again = server.requests.slice(started + heard.length).map(({ body }) => JSON.stringify(body));
    expect(again).not.toContain(heard[0]);
  }, 120_000);
});

describe("a tasks file that cannot be read says where", () => {
  const faultOf = (set: SetName, text: string): string => {
    const path = join(folder, "tasks.jsonl");
    writeFileSync(path, text);
    try {
      readTasks(set, path);
    } catch (error) {
      if (error instanceof TasksFault) return error.message;
      throw error;
    }
    return "";
  };

  test.each<[string, SetName, string, string]>([
    ["no JSON", "drb", '{"id": 1, "prompt": "a"}\n{"id": 2,\n', "tasks.jsonl, line 2: no JSON"],
    ["no prompt", "drb", '\n{"id": 1}\n', 'tasks.jsonl, line 2: "prompt": '],
    ["an empty prompt", "drb2", '{"idx": 1, "prompt": " "}', 'line 1: "prompt": is empty'],
    [
      "a prompt that is too long",
      "drb",
      `{"id": 1, "prompt": "${"a".repeat(20_000)}"}`,
      '"prompt": has more than 16384',
    ],
    ["the form of another set", "drb2", '{"id": 1, "prompt": "a"}', 'line 1: "idx": '],
    [
      "an id that is no name of a file",
      "researchrubrics",
      '{"sample_id": "../a", "prompt": "a"}',
      '"sample_id": has to be',
    ],
    [
      "an id twice",
      "drb",
      '{"id": 1, "prompt": "a"}\n\n{"id": 1, "prompt": "b"}',
      "line 3: the id 1 is in line 1, too",
    ],
    ["a list", "drb", "[]", "line 1: "],
    ["nothing", "drb", "\n\n", "tasks.jsonl has no tasks"],
  ])("%s", (_, set, text, message) => {
    expect(faultOf(set, text)).toContain(message);
  });

  test("no file", () => {
    expect(() => readTasks("drb", join(folder, "none.jsonl"))).toThrow(/the tasks cannot be read: .*none\.jsonl/);
  });

  test("a byte order mark and CR LF are no fault", () => {
    expect(faultOf("drb", '\uFEFF{"id": 1, "prompt": "a"}\r\n')).toBe("");
  });
});

test("marks become links that the evaluators' patterns read, also of conclusions and in tables", () => {
  const article = articleOf(
    {
      question: "Which oil?",
      blocks: [
        { kind: "heading", level: 2, text: "Answer" },
        { kind: "paragraph", statements: ["s1", "s2"] },
        { kind: "table", columns: ["Oil", "Use"], rows: [["Rape | flax", ["s1"]]] },
        { kind: "list", ordered: true, items: [{ lead: "First", statements: ["s3"] }] },
      ],
      statements: {
        s1: { basis: "cited", text: "Rape is pressed cold.", quotes: [{ source_digest: "a" }] },
        s2: { basis: "derived", text: "So it keeps.", quotes: [{ source_digest: "b" }], from: ["s1"] },
        s3: { basis: "framing", text: "Press it." },
      },
      sources: [
        { number: 1, title: "Oil [2]", origin: "https://oil.example/a_(b)?c=d e", source_digest: "a" },
        { number: 2, title: "Press", origin: "docs/Die Presse (neu).md", source_digest: "b" },
      ],
      gaps: [{ text: "How long it keeps." }],
    },
    "en",
  );
  const [web, file] = ["https://oil.example/a_%28b%29?c=d%20e", "docs/Die%20Presse%20%28neu%29.md"];
  expect(article).toBe(`# Which oil?

## Answer

Rape is pressed cold. [1](${web}) So it keeps. [1](${web}) [2](${file})

| Oil | Use |
| --- | --- |
| Rape \\| flax | Rape is pressed cold. [1](${web}) |

1. **First** Press it.

## What was not found

- How long it keeps.

## References

1. [Oil 2](${web})
2. [Press](${file})
`);
});

test("a model has a name for files", () => {
  expect(["compatible:org/Qwen 3,effort=low", "openai:gpt-5", ":"].map(nameOf)).toEqual([
    "org-Qwen-3-effort-low",
    "gpt-5",
    "model",
  ]);
});
