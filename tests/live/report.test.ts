// Tests of whole and partial reports of a live run: coverage, gaps, models, quotes, and what was spent.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { exportReport } from "../../src/operations/report/export-report.ts";
import { reportSchema } from "../../src/run/report/stored-report.ts";
import type { Report } from "../../src/run/report/report.ts";
import { claimsOf } from "../../src/run/report/statements.ts";
import { asksFor, type Answer, type Script, type SeenRequest } from "../models/answers.ts";
import { cli } from "../cli/fake-host.ts";
import { LiveRun, type LiveOptions } from "./live-run.ts";
import {
  citationsOf,
  isOfResearch,
  judgedOf,
  named,
  pageOf,
  submits,
  taskOf,
  wellBehaved,
  type SeenTask,
} from "./well-behaved.ts";

setDefaultTimeout(600_000);

const DOCUMENTS: ReadonlyMap<string, string> = new Map([
  [
    "first.md",
    "# First test\n\nIn our test the broker handled 4,000 jobs per second on one machine with four cores.\n",
  ],
  [
    "second.md",
    "# Second test\n\nOn the new machine the broker handled 9,500 jobs per second in the same test with four cores.\n",
  ],
]);
const QUESTION = "How many jobs per second does the broker handle, and what does it cost?";
const PLAN = {
  parts: [
    { id: "rate", text: "how many jobs per second the broker handles" },
    { id: "price", text: "what the broker costs" },
  ],
  perspectives: [
    {
      id: "overview",
      title: "Throughput",
      kind: "overview",
      questions: ["How fast is the broker?"],
      queries: ["broker jobs per second"],
      part_ids: ["rate"],
    },
    {
      id: "doubts",
      title: "What speaks against it",
      kind: "contrarian",
      questions: ["What does it cost?"],
      queries: ["broker machine cores"],
      part_ids: ["price", "rate"],
    },
  ],
};

/** Restates each quote in other words, with the same numbers. */
function restated({ document_text }: { document_text: string }): string {
  const [rate = ""] = /[\d,]+ jobs/.exec(document_text) ?? [];
  return `The broker handled ${rate} per second in a test on a machine with four cores.`;
}

function draftOf(task: SeenTask, parts: unknown[] = []): unknown {
  return { page: pageOf(citationsOf(task), restated), parts };
}

/** Well behaved, with this plan and this draft. Quotes answer the rate alone: nobody finds a price. */
function script(change: { parts?: unknown[] } = {}): (request: SeenRequest) => Answer {
  return (request: SeenRequest): Answer => {
    const task = taskOf(request);
    if (task.who === "plan") return asksFor(named(task, [submits(PLAN)]));
    if (task.who === "draft") return asksFor(named(task, [submits(draftOf(task, change.parts))]));
    if (isOfResearch(task)) {
      const verdicts = judgedOf(task.user, () => ["rate"]);
      return asksFor(
        named(task, [submits({ verdicts: verdicts.map((one) => ({ ...one, verdict: "supported", why: "so read" })) })]),
      );
    }
    const answer = wellBehaved(request);
    if (task.who !== "research" || !("tool_calls" in answer)) return answer;
    const [own = ""] = task.user.split("The other parts of the question");
    if (!own.includes("- rate: "))
      return asksFor(named(task, [submits({ notes: ["Not found: what the broker costs (no price list)"] })]));
    for (const { name, arguments: args } of answer.tool_calls ?? [])
      if (name === "quote") (args as { part_ids: string[] }).part_ids = ["rate"];
    return answer;
  };
}

async function opened(options: LiveOptions = {}): Promise<LiveRun> {
  return await LiveRun.open({ script: script(), documents: DOCUMENTS, question: QUESTION, ...options });
}

function reportOf(live: LiveRun, version = 1): Report {
  return reportSchema.parse(JSON.parse(live.report(version).split("\n").at(-2) ?? ""));
}

describe("a whole report", () => {
  test("says how far each part is answered, and for which nothing was found", async () => {
    await using live = await opened();
    expect((await live.start()).error).toBeNull();
    const { parts, gaps, blocks } = reportOf(live);
    expect(parts.map(({ text, coverage, claims, sources }) => [text, coverage, claims, sources])).toEqual([
      ["how many jobs per second the broker handles", 1, 2, 2],
      ["what the broker costs", 0, 0, 0],
    ]);
    // The writer named no gap.
    expect(gaps).toEqual([
      { gap_id: "g1", text: "what the broker costs", reason: "No quote was recorded for it.", evidence: "none" },
    ]);
    expect(blocks[0]).toMatchObject({ kind: "heading", role: "answer" });
  });

  test("takes a lower coverage from the writer, and no higher one", async () => {
    const parts = [
      { part_id: "rate", coverage: 0.5 },
      { part_id: "price", coverage: 1 },
    ];
    await using live = await opened({ mode: "quick", script: script({ parts }) });
    expect((await live.start()).error).toBeNull();
    expect(reportOf(live).parts.map(({ coverage }) => coverage)).toEqual([0.5, 0]);
  });

  test("names the place of a quote in its document", async () => {
    const documents = new Map([...DOCUMENTS].map(([name, text]) => [name, text.replace("\n\n", "\n\n## Results\n\n")]));
    await using live = await opened({ documents });
    expect((await live.start()).error).toBeNull();
    expect(live.report()).toMatch(/- 1a\. Results: “In our test/);
  });

  test("shows the quotes that are rephrased, the models, and on the page what was spent", async () => {
    await using live = await opened();
    const { run } = await live.start();
    const [markdown = ""] = live.report().split("\n{");
    for (const { text } of claimsOf(reportOf(live)).flatMap(({ quotes }) => quotes))
      expect(markdown).toContain(`“${text}”`);
    expect(markdown).toContain("- Model: compatible:scripted, in every role.\n");
    const calls = live.server.requests.length;
    expect(run?.manifest.report_versions[0]?.usage.calls).toBe(calls);
    const spent = `Spent by the run when this version was made: ${calls} calls, `;
    const page = await cli(["report", "export", live.runRoot, "--format", "html", "--output", "-"]);
    expect(page.stdout).toContain(spent);
    // Equal evidence gives an equal report, whatever it cost: that stands beside it.
    const shown = await cli(["report", "show", live.runRoot]);
    expect([shown.stdout.includes("Spent"), shown.stderr.includes(spent)]).toEqual([false, true]);
  });
});

describe("a partial report", () => {
  /** How many calls come before the first one of this kind. */
  async function callsBefore(who: SeenTask["who"], asked = script(), options: LiveOptions = {}): Promise<number> {
    let before: number | null = null;
    const counting: Script = (request) => {
      if (taskOf(request).who === who) before ??= request.number - 1;
      return asked(request);
    };
    await using live = await opened({ ...options, script: counting });
    await live.start();
    return before ?? 0;
  }

  /** The budget that suffices for so many calls and no more, in a stage before the report. */
  function budgetFor(calls: number): number {
    return Math.ceil(calls / (1 - HELD_BACK));
  }

  const HELD_BACK = 0.15;

  /** A writer that is corrected twice, and then needs more calls than are held back. */
  function slow(request: SeenRequest): Answer {
    const task = taskOf(request);
    const page = "## Answer\n\nIt does 77 jobs [c1].";
    return task.who === "draft" && task.messages.length < 7
      ? asksFor(named(task, [submits({ page })]))
      : script()(request);
  }

  test("without money for a writer holds quotes alone, without verdicts of a model", async () => {
    const max_calls = budgetFor(await callsBefore("draft", script(), { mode: "quick" }));
    await using live = await opened({ mode: "quick", script: slow, budgets: { max_calls } });
    expect((await live.start()).error?.code).toBe("BUDGET_EXCEEDED");
    const { partial, made, ...report } = reportOf(live);
    const { notes } = made;
    expect(partial).toBe(true);
    expect(claimsOf(report).length).toBeGreaterThan(0);
    for (const { text, method, quotes } of claimsOf(report)) {
      expect(method).toBe("verbatim");
      expect(quotes.map((quote) => quote.text)).toContain(text);
    }
    expect(notes[0]).toContain("without a model");
    // A researcher recorded them for their parts: they answer.
    expect(report.blocks[0]).toMatchObject({ kind: "heading", role: "answer" });
    expect(report.gaps).toMatchObject([{ evidence: "none", reason: "Nothing was found for it." }]);
    // Where only one draft is allowed no review is missing.
    expect(made.unfinished).toEqual([]);
  });

  test("says which angles and searches are missing", async () => {
    await using live = await opened({ budgets: { max_calls: budgetFor((await callsBefore("pivot")) + 1) } });
    expect((await live.start()).error?.code).toBe("BUDGET_EXCEEDED");
    expect(reportOf(live).made.unfinished?.join("; ")).toMatch(
      /^a second search on “.+”; a review that accepts the draft$/,
    );
    expect(live.report()).toContain(
      "> Partial: the budget was spent before the run had finished its stages.\n>\n> Not",
    );
  });

  test("takes a draft that is there, and asks for no other", async () => {
    const quick = { mode: "quick", limits: { max_perspectives: 2, max_rounds: 2 }, script: slow } as const;
    const max_calls = await callsBefore("review", slow, quick);
    await using live = await opened({ ...quick, budgets: { max_calls } });
    expect((await live.start()).error?.code).toBe("BUDGET_EXCEEDED");
    expect(live.server.requests.map(taskOf).filter(({ who }) => who === "draft")).toHaveLength(3);
    const report = reportOf(live);
    expect(report.made.unfinished).toEqual(["a review that accepts the draft"]);
    expect(claimsOf(report).map(({ method }) => method)).toContain("model compatible:scripted");
  });
});

describe("what a gate demands is told first, and refused at once", () => {
  /** The system prompt of a task, and what became of the first thing that was handed in. */
  async function handedIn(who: SeenTask["who"], result: (task: SeenTask) => unknown, options: LiveOptions = {}) {
    const seen = { prompt: "", refusal: "" };
    const first: Script = (request) => {
      const task = taskOf(request);
      if (task.who !== who) return script()(request);
      const refused = task.messages.find(({ role, content }) => role !== "system" && content.includes("ot accepted"));
      seen.prompt = task.messages[0]?.content ?? "";
      seen.refusal ||= refused?.content ?? "";
      return task.messages.length > 2 ? script()(request) : asksFor(named(task, [submits(result(task))]));
    };
    await using live = await opened({ script: first, ...options });
    const { error } = await live.start();
    return { ...seen, code: error?.code ?? null };
  }

  test("gate A: every part is looked for, and ids leave room for those of gaps", async () => {
    const id = "a".repeat(58);
    const long = { ...PLAN, parts: [{ id, text: "what the broker costs" }, ...PLAN.parts] };
    const forgotten = await handedIn("plan", () => ({
      ...long,
      parts: [...PLAN.parts, { id: "size", text: "its size" }],
    }));
    expect(forgotten.refusal).toContain("no perspective looks for part size");
    expect(forgotten.prompt).toContain("every part is named by a perspective");
    const { prompt, code } = await handedIn("plan", () => long);
    expect(prompt).toContain("at most 50 characters");
    expect(code).toBeNull();
  });

  test("gate C: a researcher knows that statements are judged, and that a quote is a sentence", async () => {
    const { prompt } = await handedIn("research", () => ({ notes: ["nothing yet"] }));
    expect(prompt).toContain("at most 20 % may be left that it does not find supported");
    expect(prompt).toContain("A quote is one sentence, several in a row, or a whole paragraph.");
  });

  test("gate E: the writer is told all faults of its page at once", async () => {
    const page = "## Answer\n\nIt does 70 jobs per second [c1]. It is fast [c99].";
    let refusal = "";
    const first: Script = (request) => {
      const task = taskOf(request);
      if (task.who !== "draft") return script()(request);
      refusal ||=
        task.messages.find(({ role, content }) => role === "user" && content.includes("cannot stand"))?.content ?? "";
      return task.messages.length > 2 ? script()(request) : asksFor(named(task, [submits({ page })]));
    };
    await using live = await opened({ script: first, mode: "quick" });
    expect((await live.start()).error).toBeNull();
    expect(refusal).toContain("asserts 70, which stands neither in c1 nor in the question");
    expect(refusal).toContain("names c99, which is no quote that you were given (c1 to c2)");
  });

  test("gate E: a reviewer knows which draft is the last", async () => {
    const reviewed = await handedIn("review", () => ({ decision: "accept", directives: [] }));
    expect(reviewed.prompt).toContain("this is draft 1 of at most 3");
  });
});

describe("text from outside", () => {
  const BAD = "\u202eturned\u2066 \u009b31m\u001b[31m";
  const HARMFUL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
  const hostile = new Map(
    [...DOCUMENTS].map(([name, text]) => [name, text.replace("jobs per", `jobs ${BAD} per`).replace("# ", `# ${BAD}`)]),
  );

  test("changes nothing in the terminal, and is stored as it is", async () => {
    const wild = (request: SeenRequest): Answer => {
      const answer = script()(request);
      return { ...answer, text: `I say ${BAD}` } as Answer;
    };
    await using live = await opened({ script: wild, documents: hostile });
    expect((await live.start()).error).toBeNull();
    const report = reportOf(live);
    expect(claimsOf(report).some(({ quotes }) => quotes.some(({ text }) => text.includes(BAD)))).toBe(true);
    const pages = readdirSync(live.runRoot, { recursive: true, encoding: "utf8" }).filter((path) =>
      path.endsWith(".md"),
    );
    expect(pages.filter((path) => path.startsWith("wave-1/")).length).toBeGreaterThan(0);
    for (const path of pages) expect(await Bun.file(join(live.runRoot, path)).text(), path).not.toMatch(HARMFUL);
    const html = await exportReport(live.ports, live.runRoot, { format: "html" });
    expect(new TextDecoder().decode(html.content)).not.toMatch(HARMFUL);
    const keys = (await live.dataOf("step.completed")).map((step) => step.key);
    const key = keys.find((one) => one.startsWith("wave1:")) ?? "";
    for (const words of [
      ["inspect"],
      ["inspect", "--step", key],
      ["inspect", "--step", "review:draft-1"],
      ["triage"],
    ]) {
      const { stdout, code } = await cli([...words, live.runRoot]);
      expect([code, stdout.match(HARMFUL)], words.join(" ")).toEqual([0, null]);
    }
  });
});
