// Tests of asking on: what was found is taken over, what is missing is researched, and the calls are few.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { askRun } from "../../src/operations/change/ask-run.ts";
import { resumeRun } from "../../src/operations/change/resume-run.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import { EARLIER } from "../../src/run/report/earlier-evidence.ts";
import type { Findings } from "../../src/run/report/research.ts";
import { spanKey } from "../../src/run/report/source.ts";
import { asksFor, type Answer, type Script, type SeenRequest } from "../models/answers.ts";
import { codeOf } from "../operations/made-run.ts";
import { LiveRun } from "./live-run.ts";
import { named, RESULTS, submits, taskOf, wellBehaved } from "./well-behaved.ts";

setDefaultTimeout(600_000);

const QUESTION = "And what does that cost on two machines?";

const PRICE = { id: "price", text: "What does the broker cost on two machines?" };
const MACHINES = {
  id: "machines",
  title: "Two machines",
  kind: "facet",
  questions: ["What do two machines cost?"],
  queries: ["options parsed errors reported"],
  part_ids: ["price"],
};

/** Plans with all evidence that it is shown; `searches`: with a perspective of its own, too. */
function plansWith({ searches = false, holds = true } = {}): (request: SeenRequest) => Answer {
  return (request) => {
    const task = taskOf(request);
    if (task.who !== "plan" || !task.user.includes("What was found before")) return wellBehaved(request);
    const { evidence } = JSON.parse(task.user.slice(task.user.indexOf("{", task.user.indexOf("found before")))) as {
      evidence: { id: string }[];
    };
    const held = holds ? [{ part_id: "price", evidence_ids: evidence.map(({ id }) => id) }] : [];
    return asksFor(named(task, [submits({ parts: [PRICE], held, perspectives: searches ? [MACHINES] : [] })]));
  };
}

async function asked(live: Pick<LiveRun, "ports" | "server" | "runsRoot" | "runRoot">, runId: string, script: Script) {
  live.server.script = script;
  const before = live.server.requests.length;
  const outcome = await askRun(live.ports, live.runRoot, { question: QUESTION, runId, runsRoot: live.runsRoot }, {});
  const runRoot = join(live.runsRoot, runId);
  const tasks = live.server.requests.slice(before).map((request) => taskOf(request).who);
  return { outcome, runRoot, tasks };
}

function reportOf(runRoot: string): string {
  return readFileSync(join(runRoot, "reports/1/report.md"), "utf8");
}

describe("what a run has besides quotes", () => {
  const GAP = {
    text: "what a licence costs",
    reason: "no document names a price (of licences)",
    part_ids: ["parsing"],
  };
  const ASSUMED = "one machine";

  /** Notes a gap in research, and assumes something; the page follows a gap up that it is shown. */
  const notesGap: Script = (request) => {
    const task = taskOf(request);
    if (task.who === "plan" && !task.user.includes("What was found before"))
      return asksFor(named(task, [submits({ ...(RESULTS.plan(task) as object), assumptions: [ASSUMED] })]));
    if (task.who === "research" && !task.messages.some(({ content }) => content.includes('"noted"')))
      return asksFor(named(task, [{ name: "note_gap", arguments: GAP }]));
    return wellBehaved(request);
  };

  test("goes on: gaps where the planner says that they belong, assumptions unless it says others, and researchers see what is held", async () => {
    await using live = await LiveRun.open({ mode: "quick", script: notesGap });
    expect((await live.start()).error).toBeNull();
    expect(live.report()).toContain("We assumed:** one machine.");
    const seen: Record<string, unknown>[] = [];
    const researched: string[] = [];
    const holds =
      (
        evidence: (shown: { evidence: { id: string }[]; not_found: { id: string; text: string }[] }) => string[],
        more: object,
      ): Script =>
      (request) => {
        const task = taskOf(request);
        if (task.who === "research") researched.push(task.user);
        if (task.who !== "plan") return wellBehaved(request);
        const shown = JSON.parse(task.user.slice(task.user.indexOf("{", task.user.indexOf("found before"))));
        seen.push(shown);
        return asksFor(
          named(task, [
            submits({ parts: [PRICE], held: [{ part_id: "price", evidence_ids: evidence(shown) }], ...more }),
          ]),
        );
      };
    const all = holds(({ evidence, not_found }) => [...evidence, ...not_found].map(({ id }) => id), {
      perspectives: [MACHINES],
    });
    const both = await asked(live, "dr_both", all);
    expect(both.outcome.error).toBeNull();
    expect(seen[0]).toMatchObject({ assumed: [ASSUMED], not_found: [{ id: "g1", text: GAP.text }] });
    const page = reportOf(both.runRoot);
    expect(page).toContain(
      `## What was not found\n\n- what a licence costs (Noted in research, not followed up: ${GAP.reason})`,
    );
    expect(page).toContain("We assumed:** one machine.");
    expect(page).toContain("| partly |");
    const held = JSON.parse(readFileSync(join(both.runRoot, "wave-1/earlier.1.json"), "utf8")) as Findings;
    expect(held.gaps).toEqual([{ text: GAP.text, reason: GAP.reason, part_ids: ["price"] }]);
    expect(researched).not.toEqual([]);
    for (const task of researched) {
      expect(task).toContain("these quotes are held for your parts already");
      for (const { text } of held.quotes) expect(task).toContain(JSON.stringify(text).slice(1, 60));
    }
    const again = JSON.parse(readFileSync(join(both.runRoot, "wave-1/machines.1.json"), "utf8")) as Findings;
    const spans = new Set(held.quotes.map(spanKey));
    expect(again.quotes.filter((quote) => spans.has(spanKey(quote)))).toEqual([]);
    // Control: what the planner does not hold is not carried, and what it assumes now counts.
    const none = await asked(
      live,
      "dr_quotes",
      holds(({ evidence }) => evidence.map(({ id }) => id), { perspectives: [], assumptions: ["two machines"] }),
    );
    expect(none.outcome.error).toBeNull();
    expect(reportOf(none.runRoot)).toContain("We assumed:** two machines.");
    expect(reportOf(none.runRoot)).not.toContain(GAP.text);
    expect(await codeOf(verifyRun(live.ports, both.runRoot))).toBe("no error");
  });

  test("is no plan by itself: with gaps alone some perspective has to look for evidence", async () => {
    await using live = await LiveRun.open({ mode: "quick", script: notesGap });
    expect((await live.start()).error).toBeNull();
    let refused = 0;
    const { outcome } = await asked(live, "dr_gaps", (request) => {
      const task = taskOf(request);
      if (task.who !== "plan") return wellBehaved(request);
      const isRefused = task.messages.some(({ content }) =>
        content.includes("some perspective has to look for evidence"),
      );
      if (isRefused) refused++;
      const held = [{ part_id: "price", evidence_ids: ["g1", "g9"] }];
      return asksFor(named(task, [submits({ parts: [PRICE], held, perspectives: isRefused ? [MACHINES] : [] })]));
    });
    expect([outcome.error, refused]).toEqual([null, 1]);
  });
});

describe("a question that is asked on", () => {
  let live: LiveRun;
  beforeAll(async () => {
    live = await LiveRun.open({ mode: "quick" });
    expect((await live.start()).error).toBeNull();
  });
  afterAll(async () => await live[Symbol.asyncDispose]());

  test("is answered from what was found, in at most four calls, and verifies", async () => {
    const { outcome, runRoot, tasks } = await asked(live, "dr_held", plansWith());
    expect([outcome.error, outcome.result.follows]).toEqual([null, "dr_live"]);
    expect(tasks.length).toBeLessThanOrEqual(4);
    expect(tasks).not.toContain("research");
    expect(outcome.result.offered_quotes).toBeGreaterThan(0);
    expect(reportOf(runRoot)).toMatch(
      /- This question follows “.+” \(run dr_live\): \d+ quotes? taken over from it, nothing had to be researched anew\./,
    );
    expect(await codeOf(verifyRun(live.ports, runRoot))).toBe("no error");
    // The same line again changes nothing and asks nobody.
    const again = await asked(live, "dr_held", plansWith());
    expect([again.outcome.error, again.tasks]).toEqual([null, []]);
  });

  test("has what is missing researched, beside what was found", async () => {
    const { outcome, runRoot, tasks } = await asked(live, "dr_more", plansWith({ searches: true }));
    expect(outcome.error).toBeNull();
    expect(tasks.filter((who) => who === "plan")).toHaveLength(1);
    expect(tasks).toContain("research");
    expect(reportOf(runRoot)).toContain("taken over from it, 1 perspective researched anew.");
    expect(await codeOf(verifyRun(live.ports, runRoot))).toBe("no error");
  });

  test("without evidence that helps is researched as any other", async () => {
    const { outcome, runRoot } = await asked(live, "dr_none", plansWith({ searches: true, holds: false }));
    expect(outcome.error).toBeNull();
    const { perspectives } = JSON.parse(readFileSync(join(runRoot, "perspectives.json"), "utf8"));
    expect(perspectives.map(({ id }: { id: string }) => id)).not.toContain(EARLIER);
    expect(reportOf(runRoot)).toContain("no quote was taken over from it, 1 perspective researched anew.");
  });

  test("names evidence that is there, and a part without evidence has a perspective", async () => {
    let refusals = 0;
    const script: Script = (request) => {
      const task = taskOf(request);
      const isRefused = task.messages.some(({ content }) =>
        content.includes("no evidence that was given is held for it"),
      );
      if (task.who === "plan" && isRefused) refusals++;
      if (task.who !== "plan" || isRefused) return plansWith()(request);
      const parts = [{ id: "price", text: "What does it cost?" }];
      const held = [{ part_id: "price", evidence_ids: ["e99", "x"] }];
      return asksFor(named(task, [submits({ parts, held, perspectives: [] })]));
    };
    const { outcome } = await asked(live, "dr_strange", script);
    expect([outcome.error, refusals]).toEqual([null, 1]);
  });

  test("follows a question that followed one: the thread is kept", async () => {
    live.server.script = plansWith();
    const { error } = await askRun(
      live.ports,
      join(live.runsRoot, "dr_held"),
      { question: "And on three?", runId: "dr_third", runsRoot: live.runsRoot },
      {},
    );
    expect(error).toBeNull();
    const [created] = await live.ports.store.records(join(live.runsRoot, "dr_third"));
    if (created?.kind !== "run.created" || created.data.follows === undefined) throw new Error("it follows");
    const evidence = JSON.parse(
      new TextDecoder().decode(
        await live.ports.store.readContent(join(live.runsRoot, "dr_third"), created.data.follows.evidence),
      ),
    );
    expect(evidence.thread.map(({ run_id }: { run_id: string }) => run_id)).toEqual(["dr_live", "dr_held"]);
  });

  test("that was killed continues, with the same page and no finished step done again", async () => {
    const whole = reportOf((await asked(live, "dr_whole", plansWith())).runRoot);
    live.server.script = plansWith();
    const observer = { onRecord: () => undefined };
    const stopped = await askRun(
      live.ports,
      live.runRoot,
      { question: QUESTION, runId: "dr_cut", runsRoot: live.runsRoot, untilStage: "synthesis" },
      observer,
    );
    expect(stopped.error).toBeNull();
    const before = live.server.requests.length;
    const { error } = await resumeRun(live.ports, join(live.runsRoot, "dr_cut"), {}, {});
    expect(error).toBeNull();
    const tasks = live.server.requests.slice(before).map((request) => taskOf(request).who);
    expect(tasks).not.toContain("plan");
    expect(reportOf(join(live.runsRoot, "dr_cut"))).toBe(whole);
  });
});

describe("a run that cannot be asked on says why", () => {
  test("when it is at work, or has no report", async () => {
    await using live = await LiveRun.open({ mode: "quick", budgets: { max_calls: 1 } });
    expect((await live.start()).error?.code).toBe("BUDGET_EXCEEDED");
    expect(await codeOf(asked(live, "dr_no", plansWith()))).toBe("NOT_FOUND");
  });

  test("when a source that its report quotes was altered", async () => {
    await using live = await LiveRun.open({ mode: "quick" });
    await live.start();
    const sources = join(live.runRoot, "sources");
    for (const name of readdirSync(sources)) appendFileSync(join(sources, name), "X");
    expect(await codeOf(asked(live, "dr_no", plansWith()))).toBe("INTEGRITY_ERROR");
  });

  test("control: without models the documents are searched again, and nothing is taken over", async () => {
    await using live = await LiveRun.open({ driver: "local" });
    await live.start();
    const { outcome, runRoot, tasks } = await asked(live, "dr_local", plansWith());
    expect([outcome.error, tasks]).toEqual([null, []]);
    expect(reportOf(runRoot)).toContain("no quote was taken over from it");
  });
});
