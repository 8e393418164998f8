// Tests of claims that the verifier does not find supported: the writer is told, gates limit them, and a person can go on.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { generateReport } from "../../src/operations/report/generate-report.ts";
import { reportSchema } from "../../src/run/report/stored-report.ts";
import type { Report } from "../../src/run/report/report.ts";
import { claimsOf, idsIn, sectionsOf } from "../../src/run/report/statements.ts";
import { asksFor, rateLimited, says, type Script } from "../models/answers.ts";
import { LiveRun } from "./live-run.ts";
import {
  citationsOf,
  judges,
  named,
  pageOf,
  restated,
  submits,
  taskOf,
  wellBehaved,
  type SeenTask,
  type ShownCitation,
  type ShownToVerifier,
} from "./well-behaved.ts";

setDefaultTimeout(600_000);

/** The page is written in one step, and may be written again. */
const PAGE = {
  mode: "quick",
  limits: { max_perspectives: 2, results_per_query: 4, max_quotes_per_subject: 4, max_rounds: 3 },
} as const;
/** What a writer makes of a statement who goes further than its quote. */
const TOO_MUCH = ", and nothing else does.";

function tooMuch(citation: ShownCitation): string {
  return restated(citation).replace(/\.$/, TOO_MUCH);
}

function isOfDraft({ user }: SeenTask): boolean {
  const { statements, parts } = JSON.parse(user) as ShownToVerifier;
  return parts === undefined && statements.every(({ id }) => /^s\d+$/.test(id));
}

/** Writes too much in the first `bold` sentences, as long as nobody objects or for ever. */
function boldWriter(bold: number, hears: boolean): Script {
  return (request) => {
    const task = taskOf(request);
    const objections = task.messages.filter(({ role, content }) => role === "user" && content.includes("cannot stand"));
    if (task.who === "draft") {
      const hearsNow = hears && objections.length > 0;
      const page = pageOf(citationsOf(task), (one, at) => (at < bold && !hearsNow ? tooMuch(one) : restated(one)));
      return asksFor(named(task, [submits({ page })]));
    }
    if (task.who === "verify") return judges(request, "contradicted", ({ statement }) => statement.endsWith(TOO_MUCH));
    return wellBehaved(request);
  };
}

function asked(live: LiveRun, who: SeenTask["who"]): number {
  return live.server.requests.filter((request) => taskOf(request).who === who).length;
}

function reportOf(live: LiveRun, version = 1): Report {
  return reportSchema.parse(JSON.parse(live.report(version).split("\n").at(-2) ?? ""));
}

describe("a claim that its quotes contradict", () => {
  test("goes back to the writer, who may say less", async () => {
    await using live = await LiveRun.open({ script: boldWriter(1, true), ...PAGE });
    expect((await live.start()).error).toBeNull();
    expect(asked(live, "draft")).toBe(2);
    expect(live.report()).not.toContain(TOO_MUCH);
    expect(claimsOf(reportOf(live)).map(({ verdict }) => verdict)).not.toContain("contradicted");
    expect(await live.isStrict()).toBe(true);
  });

  test("causes no second judgement of the other claims when the page is handed in again", async () => {
    await using live = await LiveRun.open({ script: boldWriter(1, true), ...PAGE });
    await live.start();
    const judgedOfDraft = live.server.requests
      .map(taskOf)
      .filter((task) => task.who === "verify" && isOfDraft(task))
      .map(({ user }) => (JSON.parse(user) as { statements: unknown[] }).statements.length);
    expect(judgedOfDraft).toEqual([claimsOf(reportOf(live)).length, 1]);
  });

  test("stands behind all others and is counted when the writer insists", async () => {
    await using live = await LiveRun.open({
      script: boldWriter(1, false),
      ...PAGE,
      limits: { ...PAGE.limits, max_unsupported_share: 0.5 },
    });
    const { error, run } = await live.start();
    expect([error, asked(live, "draft")]).toEqual([null, 3]);
    const report = reportOf(live);
    const sections = sectionsOf(report);
    expect(sections.map(({ heading }) => heading?.role)).toEqual(["answer", "contradicted"]);
    const answers = sections[0]?.blocks.flatMap(idsIn).map((id) => report.statements[id]?.text);
    expect(answers?.join()).not.toContain(TOO_MUCH);
    expect(run?.manifest.report_versions[0]).toMatchObject({ contradicted: 1 });
    expect(run?.manifest.report_versions[0]?.not_checked).toBeUndefined();
  });

  test("control: a writer whose claims are supported is told nothing", async () => {
    await using live = await LiveRun.open({ script: boldWriter(0, false), ...PAGE });
    await live.start();
    expect(asked(live, "draft")).toBe(1);
    expect(sectionsOf(reportOf(live)).map(({ heading }) => heading?.role)).toEqual(["answer"]);
  });
});

describe("a run with too many doubts", () => {
  function words(live: LiveRun, commands: readonly string[] = []): string[] {
    return commands.map((command) => command.replace("deep-research ", "").replace(` ${live.runRoot}`, ""));
  }

  test("halts at the draft, and its first command goes on without doing anything again", async () => {
    await using live = await LiveRun.open({ script: boldWriter(2, false), ...PAGE });
    const { error, run } = await live.start();
    expect([error?.code, run?.manifest.gates.E.metrics["contradicted"], run?.manifest.report_versions]).toEqual([
      "GATE_BLOCKED",
      2,
      [],
    ]);
    const share = run?.manifest.gates.E.metrics["unsupported_share"];
    const next = words(live, run?.manifest.halt?.next_commands);
    expect(next).toEqual([`resume --max-unsupported-share ${share}`, "fork --mode deep", "inspect", "triage"]);
    expect((await live.resume()).error?.code).toBe("GATE_BLOCKED");
    const before = live.server.requests.length;
    const resumed = await live.resume({ limits: { max_unsupported_share: Number(share) } });
    expect([resumed.error, live.server.requests.length - before]).toEqual([null, 0]);
    expect(live.report()).toContain("2 contradicted");
  });

  test("halts at its citations, and offers to judge again only when something was not checked", async () => {
    const script: Script = (request) =>
      taskOf(request).who === "verify" ? judges(request, "contradicted") : wellBehaved(request);
    await using live = await LiveRun.open({ script, ...PAGE });
    const { run } = await live.start();
    expect(run?.manifest.gates.C.metrics).toMatchObject({ not_checked: 0, unsupported_share: 1 });
    expect(words(live, run?.manifest.halt?.next_commands)).toEqual([
      "resume --max-unsupported-share 1",
      "fork --mode deep",
      "inspect",
      "triage",
    ]);
    const before = asked(live, "verify");
    const { run: further } = await live.resume({ limits: { max_unsupported_share: 1 } });
    expect(further?.manifest.stage.current).toBe("review");
    expect(live.server.requests.map(taskOf).filter((task) => task.who === "verify" && !isOfDraft(task))).toHaveLength(
      before,
    );
  });

  test("publishes the report although the reviewer never accepts, with what it still asks for", async () => {
    const script: Script = (request) => {
      const task = taskOf(request);
      const directives = [{ kind: "other", target: "Answer", detail: "say it better" }];
      return task.who === "review"
        ? asksFor(named(task, [submits({ decision: "revise", directives })]))
        : wellBehaved(request);
    };
    await using live = await LiveRun.open({ script, ...PAGE, limits: { ...PAGE.limits, max_rounds: 2 } });
    expect((await live.start()).error).toBeNull();
    expect([asked(live, "draft"), asked(live, "review")]).toEqual([2, 2]);
    expect(reportOf(live).made.remarks).toEqual(["say it better"]);
    await generateReport(live.ports, live.runRoot, {});
    expect(reportOf(live, 2).made).toEqual(reportOf(live).made);
    const [first, second] = live.server.requests.map(taskOf).filter(({ who }) => who === "review");
    expect(first?.user).not.toContain("say it better");
    // The ids are none of those that the writer names.
    expect(first?.user).toMatch(/\[q1\].*"quotes":\[\{"id":"q1"/su);
    expect(second?.user).toContain(
      '"your_earlier_remarks":[{"kind":"other","target":"Answer","detail":"say it better"}]',
    );
  });
});

test("a review has one section of a page written again, and all else stays byte for byte", async () => {
  const script: Script = (request) => {
    const task = taskOf(request);
    if (task.who !== "review" || task.user.includes("your_earlier_remarks")) return wellBehaved(request);
    const directives = [{ kind: "other", target: "What else", detail: "in other words" }];
    return asksFor(named(task, [submits({ decision: "revise", directives })]));
  };
  await using live = await LiveRun.open({ script });
  expect((await live.start()).error).toBeNull();
  await using other = await LiveRun.open();
  expect((await other.start()).error).toBeNull();
  const [after, before] = [reportOf(live), reportOf(other)];
  const [answer, first, again] = sectionsOf(after);
  expect([answer, first, again?.heading]).toEqual([...sectionsOf(before).slice(0, 2), sectionsOf(before)[2]?.heading]);
  for (const id of [...(answer?.blocks ?? []), ...(first?.blocks ?? [])].flatMap(idsIn))
    expect(JSON.stringify(after.statements[id])).toBe(JSON.stringify(before.statements[id]));
  const texts = again?.blocks.flatMap(idsIn).map((id) => after.statements[id]?.text ?? "") ?? [];
  expect(texts.length).toBeGreaterThan(0);
  for (const text of texts) expect(text).toStartWith("Said again: ");
});

test("a run goes on where it was when the verifier was throttled while it judged a draft", async () => {
  let isDown = true;
  const script: Script = (request) => {
    const task = taskOf(request);
    return isDown && task.who === "verify" && isOfDraft(task) ? rateLimited("0.01") : wellBehaved(request);
  };
  await using live = await LiveRun.open({ script, ...PAGE });
  const { error, run } = await live.start();
  expect(["GATE_BLOCKED", "QUOTA_EXCEEDED"]).toContain(error?.code ?? "");
  expect([run?.state, run?.manifest.report_versions]).toEqual(["running", []]);
  isDown = false;
  expect((await live.resume()).error).toBeNull();
  expect(asked(live, "draft")).toBe(1);
  expect(live.report()).not.toContain("not_checked");
});

test("a writer that fails after it was told of faults goes on with them, and hands nothing in twice", async () => {
  let isDown = true;
  const script: Script = (request) => {
    const task = taskOf(request);
    if (task.who !== "draft") return wellBehaved(request);
    const told = task.messages.find(({ role, content }) => role === "user" && content.includes("cannot stand"));
    if (told === undefined) {
      const page = pageOf(citationsOf(task)).replace("documents say", "77 documents say");
      return asksFor(named(task, [submits({ page })]));
    }
    if (isDown) return rateLimited("3600");
    const [, id = ""] = /"statement_id": "(s\d+)"/.exec(told.content) ?? [];
    const text = `${restated(citationsOf(task)[0] as ShownCitation)} [c1]`;
    return asksFor(named(task, [{ name: "revise", arguments: { changes: [{ statement_id: id, text }] } }]));
  };
  await using live = await LiveRun.open({ script, ...PAGE });
  expect((await live.start()).error?.code).toBe("QUOTA_EXCEEDED");
  const before = asked(live, "draft");
  isDown = false;
  expect((await live.resume()).error).toBeNull();
  expect(asked(live, "draft")).toBe(before + 1);
  expect(live.report()).not.toContain("77 documents");
  await using other = await LiveRun.open({ ...PAGE });
  await other.start();
  expect(reportOf(live).statements).toEqual(reportOf(other).statements);
});

test("a verifier that handed nothing in is asked again when the run goes on, and the writer is not", async () => {
  let isTalking = true;
  const script: Script = (request) => {
    const task = taskOf(request);
    return isTalking && task.who === "verify" && isOfDraft(task) ? says("I think so.") : wellBehaved(request);
  };
  await using live = await LiveRun.open({ script, ...PAGE });
  expect((await live.start()).error?.code).toBe("GATE_BLOCKED");
  expect((await live.resume()).error?.code).toBe("GATE_BLOCKED");
  isTalking = false;
  expect((await live.resume()).error).toBeNull();
  expect(asked(live, "draft")).toBe(1);
});

test("an answer that its quotes contradict does not pass, whatever else the report holds", async () => {
  const script: Script = (request) => {
    const task = taskOf(request);
    if (task.who === "draft") {
      const [first, ...others] = citationsOf(task);
      const more = pageOf(others).replace("## Answer", "## More");
      const page = `${pageOf(first === undefined ? [] : [first], tooMuch)}\n${more}`;
      return asksFor(named(task, [submits({ page })]));
    }
    if (task.who === "verify") return judges(request, "contradicted", ({ statement }) => statement.endsWith(TOO_MUCH));
    return wellBehaved(request);
  };
  await using live = await LiveRun.open({ script, ...PAGE, limits: { ...PAGE.limits, max_unsupported_share: 0.9 } });
  const { error, run } = await live.start();
  expect(error?.code).toBe("GATE_BLOCKED");
  expect(run?.manifest.gates.E.reasons).toEqual([
    "the answer is contradicted by its quotes, and no other section answers the question",
  ]);
});
