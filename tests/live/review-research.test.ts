// A review that asks for research: researchers look, what they bring is checked, and the next draft sees it.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { initRun } from "../../src/operations/init-run.ts";
import { runRun } from "../../src/operations/run-run.ts";
import { verifyRun } from "../../src/operations/verify-run.ts";
import { asksFor, type Script } from "../models/answers.ts";
import { DOCUMENTS } from "../simulation/run-world.ts";
import { LiveRun, type LiveOptions } from "./live-run.ts";
import {
  citationsOf,
  isOfResearch,
  judgedOf,
  named,
  submits,
  taskOf,
  wellBehaved,
  type SeenTask,
} from "./well-behaved.ts";

setDefaultTimeout(60_000);

const FACT = "A caller of the library hands over at most ninety-nine things at once.";
const documents = new Map([...DOCUMENTS, ["limits.md", `# Limits\n\n${FACT}\n`]]);
const WISH = {
  kind: "research",
  target: "Answer",
  detail: "how many things",
  part_id: "parsing",
  queries: ["ninety-nine things caller"],
};

function draftNumber({ messages }: SeenTask): number {
  return Number(/this is draft (\d+)/.exec(messages[0]?.content ?? "")?.[1]);
}

/** The first review asks for research, as `wish` says; what it brings is judged by `verdict`, and the next draft uses it. */
function wishing(wish: object = WISH, verdict = "supported", isUsed = true): Script {
  return (request) => {
    const task = taskOf(request);
    if (task.who === "review" && draftNumber(task) === 1) {
      const refused = task.messages.some(({ content }) => content.includes("Not accepted"));
      const result = refused ? { decision: "accept", directives: [] } : { decision: "revise", directives: [wish] };
      return asksFor(named(task, [submits(result)]));
    }
    if (isOfResearch(task) && task.user.includes("ninety-nine")) {
      const verdicts = judgedOf(task.user).map((one) => ({ ...one, verdict, why: "so read" }));
      return asksFor(named(task, [submits({ verdicts })]));
    }
    const isRedraft = task.who === "draft" && task.tools.includes("revise");
    if (!isUsed || !isRedraft || hasRevised(task)) return wellBehaved(request);
    // Says what the newest quote says.
    const newest = citationsOf(task).at(-1);
    const text = `As it turned out: ${newest?.document_text} [${newest?.citation_id}]`;
    return asksFor(named(task, [{ name: "revise", arguments: { changes: [{ statement_id: "s1", text }] } }]));
  };
}

function hasRevised({ messages }: SeenTask): boolean {
  return messages.some(({ role }) => role === "assistant");
}

async function opened(options: LiveOptions = {}): Promise<LiveRun> {
  return await LiveRun.open({ documents, script: wishing(), ...options });
}

function tasksOf(live: LiveRun, who: SeenTask["who"]): SeenTask[] {
  return live.server.requests.map(taskOf).filter((task) => task.who === who);
}

async function stepsOf(live: LiveRun): Promise<string[]> {
  return (await live.dataOf("step.completed")).filter(({ stage }) => stage === "review").map(({ key }) => key);
}

describe("a review that asks for research", () => {
  test("gets it before the next draft, whose writer has the new quotes behind the old ones", async () => {
    await using live = await opened();
    expect((await live.start()).error).toBeNull();
    expect(await stepsOf(live)).toEqual([
      "review:draft-1",
      "review:research-1-1",
      "review:citations-1-1",
      "review:revise-2",
      "review:draft-2",
    ]);
    const redraft = JSON.parse(tasksOf(live, "draft").at(-1)?.user ?? "") as { citations: { document_text: string }[] };
    expect(redraft.citations.at(-1)?.document_text).toBe(FACT);
    expect(live.report()).toContain(FACT);
    expect((await verifyRun(live.ports, live.runRoot)).error).toBeNull();
  });

  test("its quotes are used only where they hold; what does not withholds no report", async () => {
    await using live = await opened({ script: wishing(WISH, "contradicted") });
    expect((await live.start()).error).toBeNull();
    expect(await stepsOf(live)).toContain("review:citations-1-1");
    expect(live.report()).not.toContain(FACT);
  });

  test("withholds no report when the next draft has no use for what it brought", async () => {
    const limits = { max_perspectives: 2, results_per_query: 4, max_quotes_per_subject: 4, min_citation_use: 1 };
    await using live = await opened({ script: wishing(WISH, "supported", false), limits });
    expect((await live.start()).error).toBeNull();
    expect(await stepsOf(live)).toContain("review:citations-1-1");
    expect(live.report()).not.toContain(FACT);
    expect((await verifyRun(live.ports, live.runRoot)).error).toBeNull();
  });

  test("is told why a wish does not fit: no part, no query, or none allowed", async () => {
    for (const wrong of [
      { ...WISH, part_id: "price" },
      { ...WISH, queries: [] },
    ]) {
      await using live = await opened({ script: wishing(wrong) });
      expect((await live.start()).error).toBeNull();
      expect(await stepsOf(live)).toEqual(["review:draft-1"]);
    }
    const limits = { max_perspectives: 2, results_per_query: 4, max_quotes_per_subject: 4 };
    for (const none of [
      { ...limits, max_rounds: 1 },
      { ...limits, max_gaps: 0 },
    ]) {
      await using live = await opened({ limits: none });
      expect((await live.start()).error).toBeNull();
      expect(await stepsOf(live)).toEqual(["review:draft-1"]);
      expect(tasksOf(live, "review")[0]?.messages[0]?.content).toContain("no directive is of kind research");
    }
  });

  test("over documents that changed meanwhile halts by policy, and goes on when that is accepted", async () => {
    await using live = await opened({ policies: { on_drift: "refuse" } });
    await initRun(live.ports, live.initOptions(), {});
    await runRun(live.ports, live.runRoot, { untilStage: "review" }, {});
    appendFileSync(join(live.corpus, "limits.md"), "\nMore.\n");
    expect((await live.resume()).error?.code).toBe("SETTINGS_DRIFT");
    expect((await live.resume({ onDrift: "continue" })).error).toBeNull();
    expect(live.report()).toContain(FACT);
    expect((await live.dataOf("drift.accepted")).map(({ differences }) => differences[0]?.what)).toEqual([
      "corpus corpus",
    ]);
  });
});
