// Tests of a review that asks for research: researchers search, their quotes are checked, and the next draft may use them.
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { initRun } from "../../src/operations/make/init-run.ts";
import { runRun } from "../../src/operations/change/run-run.ts";
import { tickRun } from "../../src/operations/change/tick-run.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import { captureRun } from "../../src/operations/report/capture-run.ts";
import { inspectRun } from "../../src/operations/look/inspect-run.ts";
import { startRun } from "../../src/operations/change/start-run.ts";
import { reportV3Schema } from "../../src/run/report/report.ts";
import { claimsOf } from "../../src/run/report/statements.ts";
import {
  asksFor,
  OUT_OF_QUOTA,
  says,
  SERVER_ERROR,
  UNAUTHORIZED,
  type Answer,
  type Script,
  type SeenRequest,
} from "../models/answers.ts";
import { portsOfNothing, REPLAY, replayOptions } from "../operations/replayed.ts";
import { DOCUMENTS } from "../simulation/run-world.ts";
import { LiveRun, type LiveOptions } from "./live-run.ts";
import {
  citationsOf,
  isOfResearch,
  judges,
  named,
  submits,
  taskOf,
  wellBehaved,
  type SeenTask,
} from "./well-behaved.ts";

setDefaultTimeout(600_000);

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

/** The first review asks for research, as `wish` says, and the next draft uses what it brings. */
function wishing(wish: object = WISH, isUsed = true): (request: SeenRequest) => Answer {
  return (request) => {
    const task = taskOf(request);
    if (task.who === "review" && draftNumber(task) === 1) {
      const refused = task.messages.some(({ content }) => content.includes("Not accepted"));
      const result = refused ? { decision: "accept", directives: [] } : { decision: "revise", directives: [wish] };
      return asksFor(named(task, [submits(result)]));
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

  test("gives the writer its quotes alone, since what the researcher made of them was not judged", async () => {
    await using live = await opened();
    expect((await live.start()).error).toBeNull();
    const isOfWish = ({ user }: SeenTask): boolean => user.includes("ninety-nine");
    expect(tasksOf(live, "verify").filter((task) => isOfResearch(task) && isOfWish(task))).toEqual([]);
    const redraft = tasksOf(live, "draft").find(isOfWish);
    const newest = citationsOf(redraft as SeenTask).at(-1);
    expect([newest?.document_text, newest?.statement]).toEqual([FACT, undefined]);
  });

  for (const verdict of ["contradicted", "supported"] as const)
    test(`has what the page says of its quotes judged: ${verdict}`, async () => {
      const script = wishing();
      await using live = await opened({
        script: (request) =>
          taskOf(request).who === "verify"
            ? judges(request, verdict, ({ statement }) => statement.includes("As it turned out"))
            : script(request),
      });
      expect((await live.start()).error).toBeNull();
      const report = reportV3Schema.parse(
        JSON.parse(readFileSync(join(live.runRoot, "reports/1/report.json"), "utf8")),
      );
      const claim = claimsOf(report).find(({ text }) => text.includes("As it turned out"));
      expect(claim?.verdict === "supported").toBe(verdict === "supported");
    });

  test("withholds no report when the next draft does not use its quotes", async () => {
    const limits = { max_perspectives: 2, results_per_query: 4, max_quotes_per_subject: 4, min_citation_use: 1 };
    await using live = await opened({ script: wishing(WISH, false), limits });
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
    await using live = await opened({
      limits: { max_perspectives: 2, results_per_query: 4, max_quotes_per_subject: 4, max_gaps: 0 },
    });
    expect((await live.start()).error).toBeNull();
    expect(await stepsOf(live)).toEqual(["review:draft-1"]);
    expect(tasksOf(live, "review")[0]?.messages[0]?.content).toContain("no directive is of kind research");
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

describe("research that a review asked for and that fails", () => {
  const WHY = "the model answered 4 times in a row without calling a tool";
  const FAILED = `Further research failed: ${WISH.detail} (${WHY})`;

  /** Who researches or checks for the review is answered so. */
  function failing(answer: Answer, fails: "research" | "check" = "research"): Script {
    const otherwise = wishing();
    return (request) => {
      const task = taskOf(request);
      const isWished =
        fails === "research"
          ? task.who === "research" && task.user.includes(WISH.queries[0] ?? "")
          : isOfResearch(task) && task.user.includes("ninety-nine");
      return isWished ? answer : otherwise(request);
    };
  }

  test("for good withholds no draft, and the report and inspect say why it failed", async () => {
    await using live = await opened({ script: failing(says("No.")) });
    expect((await live.start()).error).toBeNull();
    expect(await stepsOf(live)).toEqual(["review:draft-1", "review:revise-2", "review:draft-2"]);
    expect(live.report()).toContain(FAILED);
    expect((await verifyRun(live.ports, live.runRoot)).error).toBeNull();
    const { result } = await inspectRun(live.ports, live.runRoot);
    const review = result.stages.find(({ stage }) => stage === "review");
    const step = review?.steps.find(({ key }) => key === "review:research-1-1");
    expect(step).toMatchObject({ state: "failed", attempts: 1, error: { left_out: true } });
    expect(step?.error?.message).toContain(WHY);
  });

  test("at every attempt is left out after the last of them", async () => {
    await using live = await opened({ script: failing(SERVER_ERROR) });
    expect((await live.start()).error).toBeNull();
    const failures = (await live.dataOf("step.failed")).map(({ key, error }) => [key, error.left_out === true]);
    const of = (isLeftOut: boolean) => ["review:research-1-1", isLeftOut];
    expect(failures).toEqual([of(false), of(false), of(true)]);
    expect(live.report()).toContain(`Further research failed: ${WISH.detail} (`);
  });

  test("halts the run until a person or time lifts the halt, and is then done", async () => {
    for (const [answer, code] of [
      [UNAUTHORIZED, "GATE_BLOCKED"],
      [OUT_OF_QUOTA, "QUOTA_EXCEEDED"],
    ] as const) {
      let isRefused = true;
      const [refused, fine] = [failing(answer), wishing()];
      const script: Script = (request) => (isRefused ? (refused as typeof fine)(request) : fine(request));
      await using live = await opened({ script });
      expect<string | undefined>((await live.start()).error?.code).toBe(code);
      isRefused = false;
      expect((await live.resume()).error).toBeNull();
      expect(live.report()).toContain(FACT);
      expect(live.report()).not.toContain("Further research failed");
    }
  });

  test("is not tried again by a resume, whose report is the same", async () => {
    await using whole = await opened({ script: failing(says("No.")) });
    expect((await whole.start()).error).toBeNull();
    await using live = await opened({ script: failing(says("No.")) });
    await initRun(live.ports, live.initOptions(), {});
    while ((await live.dataOf("step.failed")).length === 0)
      expect((await tickRun(live.ports, live.runRoot, { maxSteps: 1 })).error).toBeNull();
    const asked = (): number => tasksOf(live, "research").length;
    const before = asked();
    expect((await live.resume()).error).toBeNull();
    expect(asked()).toBe(before);
    expect(printed(live)).toEqual(printed(whole));
  });

  test("is left out of a replay, too, which comes to the same report", async () => {
    await using live = await opened({ script: failing(says("No.")) });
    expect((await live.start()).error).toBeNull();
    const output = join(live.folder, "bundle");
    const { result } = await captureRun(live.ports, live.runRoot, output);
    const { error, run } = await startRun(portsOfNothing(), replayOptions(output, join(live.folder, "replays")), {});
    expect(error).toBeNull();
    expect<string | undefined>(run?.manifest.report_versions.at(-1)?.digest).toBe(result.report_digest);
    const replayed = join(live.folder, "replays", REPLAY);
    const again = await captureRun(portsOfNothing(), replayed, join(live.folder, "again"));
    expect(again.result.digest).toBe(result.digest);
  });

  test("in its check does not count, and the report says so", async () => {
    await using live = await opened();
    const { ports } = live;
    live.ports = {
      ...ports,
      loadDriver: async (...given) => {
        const driver = await ports.loadDriver(...given);
        return {
          ...driver,
          async perform(kind, input, tools) {
            if (tools.step.startsWith("review:citations-")) throw new Error("the check is broken");
            return await driver.perform(kind, input, tools);
          },
        };
      },
    };
    expect((await live.start()).error).toBeNull();
    expect(live.report()).not.toContain(FACT);
    const remark = `What further research found could not be checked: ${WISH.detail} (the check is broken)`;
    expect(live.report()).toContain(remark);
    expect((await verifyRun(live.ports, live.runRoot)).error).toBeNull();
  });
});

/** What readers see of a report, without when it was made. */
function printed(live: LiveRun): unknown {
  const report = reportV3Schema.parse(JSON.parse(readFileSync(join(live.runRoot, "reports/1/report.json"), "utf8")));
  const { statements, blocks, made } = report;
  return { statements, blocks, remarks: made.remarks, notes: made.notes };
}
