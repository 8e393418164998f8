// One line for each worker, its quotes, and what was spent: drawn from the records of a run, as who works on it and who watches see them.
import { describe, expect, test } from "bun:test";
import { ProgressView } from "../../src/cli/terminal/progress-view.ts";
import { subjectTitles } from "../../src/operations/look/subject-titles.ts";
import type { AnyRecord, RecordDraft } from "../../src/run/log/record.ts";
import { testPorts } from "../operations/made-run.ts";
import { LivePlace } from "./live-place.ts";

const KEY = "wave1:overview";
const place = { key: KEY, stage: "wave1", inputs_digest: "sha256:1", conversation: "main" };

function note(view: ProgressView, kind: RecordDraft["kind"], data: object, width?: number): string | undefined {
  return view.note({ kind, data: { ...place, ...data } } as unknown as AnyRecord, width)?.text;
}

function atWork(): ProgressView {
  const view = new ProgressView(0);
  note(view, "stage.planned", { keys: [KEY, "wave1:doubts"] });
  note(view, "step.started", { attempt: 1 });
  return view;
}

/** A reply of the model that calls one tool, and the call as it begins. */
function calls(view: ProgressView, name: string, given: unknown): void {
  const call = { tool_call_id: "1", name, arguments: JSON.stringify(given) };
  note(view, "message.stored", { role: "assistant", message: { role: "assistant", tool_calls: [call] } });
  note(view, "tool.requested", { name, tool_call_id: "1" });
}

const reserved = { role: "researcher", tokens: 500, cost_usd: 0.5 };
const settled = { reserved: { tokens: 500, cost_usd: 0.5 }, usage: null, tokens: 1_200, cost_usd: 0.0134 };

describe("what a worker does", () => {
  test("its title, what the model is asked for, which tool it calls with what", () => {
    const view = atWork();
    const line = (): string | undefined => view.lines(0, 80, 9).at(-1);
    expect(line()).toBe("  overview  at work");
    note(view, "usage.reserved", reserved);
    expect(line()).toBe("  overview  thinking");
    calls(view, "search", { query: "option parsing" });
    expect(line()).toBe('  overview  searching "option parsing"');
    note(view, "tool.completed", {
      name: "search",
      outcome: "done",
      state: { found: [{ name: "d1", origin: "docs/parser.md" }] },
    });
    calls(view, "open", { document: "d1" });
    expect(line()).toBe("  overview  reading docs/parser.md | turn 2");
    view.workers.titles = new Map([["overview", "How it works"]]);
    calls(view, "quote", { document: "d1", text: "It reads them." });
    expect(line()).toBe("  How it works  recording a quote from docs/parser.md | turn 3");
  });

  test("words of a reply as they come; a step that no conversation tells of says it itself", () => {
    const view = atWork();
    note(view, "usage.reserved", { ...reserved, role: "writer" });
    view.workers.hear(KEY, { type: "text", text: "Options are parsed from left to right " });
    expect(view.lines(0, 80, 9).at(-1)).toBe("  overview  writing, 7 words so far");
    view.workers.say(KEY, "searching: options");
    expect(view.lines(0, 80, 9).at(-1)).toBe("  overview  searching: options");
  });

  test("sections are counted; a step that is done or was cut off has no line", () => {
    const view = new ProgressView(0);
    const sections = [1, 2, 3].map((number) => `synthesis:section:${number}`);
    note(view, "stage.planned", { stage: "synthesis", keys: ["synthesis:outline", ...sections] });
    for (const key of sections) note(view, "step.started", { key, stage: "synthesis", attempt: 1 });
    expect(view.lines(0, 80, 9).slice(1)).toEqual([1, 2, 3].map((number) => `  section ${number} of 3  at work`));
    note(view, "step.completed", { key: sections[0] });
    expect(view.lines(0, 80, 9).slice(1)).toHaveLength(2);
    note(view, "tick.ended", {});
    expect(view.lines(0, 80, 9).slice(1)).toEqual([]);
  });

  test("more of them than the terminal has lines; nothing from outside steers it; arguments that are no JSON", () => {
    const view = new ProgressView(0);
    for (let number = 1; number <= 9; number++)
      note(view, "step.started", { key: `wave1:p${number}`, inputs_digest: "d", attempt: 1 });
    expect(view.lines(0, 80, 6)).toHaveLength(5);
    expect(view.lines(0, 80, 6).at(-1)).toBe("  and 6 more");
    view.workers.say("wave1:p1", `reading \u001b[2J\n${"日本".repeat(40)}`);
    for (const width of [40, 80, 120])
      for (const line of view.lines(0, width, 30)) expect(Bun.stringWidth(line)).toBeLessThan(width);
    expect(view.lines(0, 80, 30).join()).not.toContain("\u001b");
    const other = atWork();
    const call = { tool_call_id: "1", name: "search", arguments: "{not json" };
    note(other, "message.stored", { role: "assistant", message: { role: "assistant", tool_calls: [call] } });
    note(other, "tool.requested", { name: "search", tool_call_id: "1" });
    expect(other.lines(0, 80, 9).at(-1)).toBe("  overview  searching");
  });
});

test("a quote is a line when it is recorded, with its source, cut to the width", () => {
  const view = atWork();
  const quoted = { title: "Parser", text: "The parser reads options\nfrom left to right." };
  const result = { name: "quote", outcome: "done", state: { quoted } };
  expect(note(view, "tool.completed", result)).toBe('  "The parser reads options from left to right." (Parser)');
  expect(note(view, "tool.completed", result, 40)).toBe('  "The parser reads options..." (Parser)');
  expect(note(view, "tool.completed", { ...result, outcome: "failed" })).toBeUndefined();
  expect(view.lines(0, 80, 9).at(-1)).toBe("  overview  at work | 2 quotes");
});

test("calls, tokens and money so far, of a budget; a run that continues has what it spent before", () => {
  const view = atWork();
  note(view, "usage.reserved", reserved);
  note(view, "usage.settled", settled);
  expect(view.lines(0, 100, 9)[0]).toBe("[3/10] first search | 0 of 2 steps | 0.0 s | 1 call | 1,200 tokens | $0.013");
  const budgets = { max_cost_usd: 2, max_tokens: 100_000 };
  const usage = { calls: 4, tokens: 30_000, cost_usd: 0.25, reserved_usd: 0 };
  const later = new ProgressView(0);
  later.begin({ query: { text: "?" }, settings: { budgets }, usage } as unknown as Parameters<typeof later.begin>[0]);
  note(later, "step.started", { attempt: 1 });
  note(later, "usage.reserved", reserved);
  note(later, "usage.settled", settled);
  expect(later.lines(0, 40, 9)).toEqual([
    "[3/10] first search | 0.0 s | 5 calls",
    "31,200 of 100,000 tokens | $0.26 of $2",
    "  overview  thinking",
  ]);
});

test("a whole run on a terminal: who watches it afterwards is told the same quotes", async () => {
  await using run = await LivePlace.open();
  const { stderr } = await run.start([], { terminals: ["stderr"], columns: 200 });
  const quotes = (text: string): string[] => text.match(/ {2}"[^"\n]+" \([^)]+\)/g) ?? [];
  expect(quotes(stderr).length).toBeGreaterThan(1);
  const watched = await run.run(["watch", run.runRoot, "--since", "0"]);
  expect(quotes(watched.stdout)).toEqual(quotes(stderr));
  expect(Object.fromEntries(await subjectTitles(testPorts(), run.runRoot))).toMatchObject({ overview: "How it works" });
});
