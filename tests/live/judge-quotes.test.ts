// Tests of a weak researcher: quotes that answer nothing, statements that go too far, and work without an end.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { forkRun } from "../../src/operations/make/fork-run.ts";
import { runRun } from "../../src/operations/change/run-run.ts";
import { retryChecks } from "../../src/operations/change/retry-checks.ts";
import { findingsSchema, type Citation } from "../../src/run/report/research.ts";
import { asksFor, rateLimited, says, type Answer, type Script, type SeenRequest } from "../models/answers.ts";
import { LiveRun } from "./live-run.ts";
import {
  isOfResearch,
  judgedOf,
  judges,
  named,
  researchCalls,
  resultsOf,
  submits,
  taskOf,
  wellBehaved,
  type SeenTask,
} from "./well-behaved.ts";

setDefaultTimeout(600_000);

/** Finds that quotes answer a part when `does` says so. */
function relating(does: (text: string) => boolean): (request: SeenRequest) => Answer {
  return (request) => {
    const task = taskOf(request);
    if (!isOfResearch(task)) return wellBehaved(request);
    const judged = judgedOf(task.user, (text, all) => (does(text) ? all : []));
    const verdicts = judged.map((one) => ({ ...one, verdict: "supported", why: "so read" }));
    return asksFor(named(task, [submits({ verdicts })]));
  };
}

/** What a run has found, as its waves were judged. */
async function foundBy({ ports: { store }, runRoot }: LiveRun): Promise<{ texts: string[]; notes: string }> {
  const look = await store.look(runRoot);
  const waves = [await store.readSteps(look, "wave1"), await store.readSteps(look, "wave2")];
  const judged = waves.flatMap((steps) =>
    Object.entries(steps).flatMap(([key, { result }]) =>
      key.startsWith("verdicts:") && result !== undefined ? [result] : [],
    ),
  );
  const results = await Promise.all(judged.map((ref) => store.readResult(runRoot, ref)));
  const findings = results.flatMap((result) => findingsSchema.array().parse(result));
  return {
    texts: findings.flatMap(({ quotes }) => quotes.map(({ text }) => text)),
    notes: findings.flatMap(({ notes }) => notes).join("\n"),
  };
}

describe("quotes that answer no part of the question", () => {
  test("are left out, whatever the researcher recorded them for, and that is noted", async () => {
    await using all = await LiveRun.open();
    expect((await all.start()).error).toBeNull();
    const [first = ""] = (await foundBy(all)).texts;
    expect(all.report()).toContain(first);
    await using live = await LiveRun.open({ script: relating((text) => text !== first) });
    expect((await live.start()).error).toBeNull();
    const { texts, notes } = await foundBy(live);
    expect(texts).not.toContain(first);
    expect(notes).toMatch(/\d of \d recorded quotes were left out/);
    expect(live.report()).not.toContain(first);
  });

  test("are no evidence: a run that has nothing else has no report", async () => {
    await using live = await LiveRun.open({ script: relating(() => false) });
    const { error, run } = await live.start();
    expect([error?.code, run?.manifest.report_versions]).toEqual(["NO_EVIDENCE", []]);
  });

  test("control: stay as they were recorded when nobody could judge them, with a note", async () => {
    await using live = await LiveRun.open({
      script: (request) => (isOfResearch(taskOf(request)) ? rateLimited("0.01") : wellBehaved(request)),
    });
    expect((await live.start()).error).toBeNull();
    const { texts, notes } = await foundBy(live);
    expect(texts.length).toBeGreaterThan(0);
    expect(notes).toContain("was not checked: the verifier failed");
  });
});

test("a wave that found nothing and was begun again is no offer to a fork", async () => {
  let how: "relates nothing" | "talks" | "works" = "relates nothing";
  const script: Script = (request) => {
    const { who } = taskOf(request);
    if (how === "talks" && who === "research") return says("Well.");
    return how === "relates nothing" ? relating(() => false)(request) : wellBehaved(request);
  };
  await using live = await LiveRun.open({ script });
  expect((await live.start()).error?.code).toBe("NO_EVIDENCE");
  how = "talks";
  expect((await live.resume()).error?.code).toBe("GATE_BLOCKED");
  how = "works";
  const { result } = await forkRun(live.ports, live.runRoot, { runsRoot: live.runsRoot, runId: "dr_fork" }, {});
  expect((await runRun(live.ports, result.run_root, {}, {})).error).toBeNull();
});

describe("a researcher that never hands in", () => {
  test("keeps what it recorded by then", async () => {
    await using live = await LiveRun.open({
      script: (request) => {
        const task = taskOf(request);
        const hasQuoted = task.who === "research" && resultsOf(task, "recorded").length > 0;
        return hasQuoted ? says("I have found what there is to find.") : wellBehaved(request);
      },
    });
    expect((await live.start()).error).toBeNull();
    expect((await foundBy(live)).notes).toContain("did not submit its research");
  });

  test("control: one that recorded nothing has failed, and is told why", async () => {
    await using live = await LiveRun.open({
      script: (request) => (taskOf(request).who === "research" ? says("Well.") : wellBehaved(request)),
    });
    const { error } = await live.start();
    expect(error?.code).toBe("GATE_BLOCKED");
    expect(JSON.stringify(error?.facts)).toContain("answered 4 times in a row without calling a tool");
  });

  test("may talk between its calls, as long as it goes on", async () => {
    await using live = await LiveRun.open({
      script: (request) => {
        const task = taskOf(request);
        const isAfterTools = task.messages.at(-1)?.role === "tool";
        return task.who === "research" && isAfterTools ? says("Let me see.") : wellBehaved(request);
      },
    });
    expect((await live.start()).error).toBeNull();
  });
});

describe.each([
  ["goes further than its quote", "unclear", "not found in its quotes"],
  ["asserts nothing", "framing", "asserts nothing"],
] as const)("a statement that %s", (_what, verdict, why) => {
  test("is removed, and the quote stays and passes the gates", async () => {
    await using live = await LiveRun.open({
      script: (request) => (isOfResearch(taskOf(request)) ? judges(request, verdict) : wellBehaved(request)),
    });
    expect((await live.start()).error).toBeNull();
    for (const citation of await citationsOf(live)) {
      expect(citation).toMatchObject({ verdict: "supported", method: "verbatim" });
      expect(citation).not.toHaveProperty("statement");
      expect(citation.reason).toMatch(new RegExp(`^Not said by the quote: “.+” \\(${why}: .+\\)$`, "u"));
    }
  });
});

async function citationsOf(live: LiveRun): Promise<Citation[]> {
  const lines = (await Bun.file(`${live.runRoot}/citations/citations.jsonl`).text()).trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Citation);
}

/** Calls of the verifier, without those for the page. */
function callsOfCitations({ server }: LiveRun): { ofResearch: number; later: number } {
  const asked = server.requests.map(taskOf).filter(({ who, user }) => who === "verify" && !isOfPage(user));
  const ofResearch = asked.filter(isOfResearch).length;
  return { ofResearch, later: asked.length - ofResearch };
}

function isOfPage(user: string): boolean {
  const { statements } = JSON.parse(user) as { statements: { statement: string }[] };
  return statements.some(({ statement }) => statement.startsWith("As the documents say"));
}

describe("the verdict on what was recorded", () => {
  test("is given by one call for all researchers of a wave, and counts at the citations", async () => {
    await using live = await LiveRun.open({ mode: "quick" });
    expect((await live.start()).error).toBeNull();
    expect(callsOfCitations(live)).toEqual({ ofResearch: 1, later: 0 });
    for (const { verdict, method } of await citationsOf(live))
      expect([verdict, method]).toEqual(["supported", "model compatible:scripted"]);
  });

  test("that speaks against the statement stands there with its reason", async () => {
    let isFirst = true;
    await using live = await LiveRun.open({
      script: (request) => {
        if (!isOfResearch(taskOf(request)) || !isFirst) return wellBehaved(request);
        isFirst = false;
        return judges(request, "contradicted", ({ id }) => id === "s1");
      },
      limits: { max_perspectives: 2, results_per_query: 4, max_quotes_per_subject: 4, max_unsupported_share: 0.5 },
    });
    await live.start();
    const against = (await citationsOf(live)).filter(({ verdict }) => verdict === "contradicted");
    expect(against).toMatchObject([{ reason: "so read" }]);
    expect(callsOfCitations(live).later).toBe(0);
  });

  test("is asked for at the citations when research gave none, and by verify --retry when these gave none", async () => {
    let isAway = (task: SeenTask): boolean => isOfResearch(task);
    await using live = await LiveRun.open({
      script: (request) => (isAway(taskOf(request)) ? rateLimited("0.01") : wellBehaved(request)),
    });
    expect((await live.start()).error).toBeNull();
    const [asked, answered] = [callsOfCitations(live).later, await citationsOf(live)];
    expect(asked).toBe(2);
    for (const { method } of answered) expect(method).toBe("model compatible:scripted");

    isAway = ({ who }) => who === "verify";
    await using away = await LiveRun.open({
      script: (request) => (isAway(taskOf(request)) ? rateLimited("0.01") : wellBehaved(request)),
    });
    expect((await away.start()).error?.code).toBe("GATE_BLOCKED");
    isAway = () => false;
    const before = away.server.requests.length;
    const { result } = await retryChecks(away.ports, away.runRoot, {});
    expect([result.retried > 0, result.still_not_checked]).toEqual([true, 0]);
    const again = away.server.requests.slice(before).map(taskOf);
    expect(again.filter(({ who }) => who === "verify").some(isOfResearch)).toBe(false);
  });
});

test("a quote that is recorded twice is told so, and counts once", async () => {
  const script: Script = (request) => {
    const task = taskOf(request);
    if (task.who !== "research") return wellBehaved(request);
    const calls = researchCalls(task);
    return calls.every(({ name }) => name === "quote")
      ? asksFor(named(task, [...calls, ...calls]))
      : wellBehaved(request);
  };
  await using live = await LiveRun.open({ script });
  expect((await live.start()).error).toBeNull();
  const told = (await live.histories()).flat().flatMap((message) => (message.role === "tool" ? [message.content] : []));
  expect(told.some((content) => content.startsWith("This quote is recorded already."))).toBe(true);
  expect(told.some((content) => content.includes('"recorded":"2 of at most'))).toBe(true);
});

test("researchers know what the others look for, and may answer any part", async () => {
  await using live = await LiveRun.open();
  await live.start();
  const asked = live.server.requests.map(taskOf).filter(({ who }) => who === "research");
  const overview = asked.find(({ user }) => user.includes("Your angle: How it works"))?.user ?? "";
  const doubts = asked.find(({ user }) => user.includes("Your angle: What speaks against it"))?.user ?? "";
  expect(overview).toContain("At the same time others look for:\n- What speaks against it");
  expect(doubts).toContain("At the same time others look for:\n- How it works");
  expect(doubts).toContain("The other parts of the question, for quotes that happen to answer them, too:\n- errors:");
});

test("gaps that a researcher noted stand in its findings with the reason", async () => {
  const gap = { text: "how long it takes", reason: "no page gives a time" };
  await using live = await LiveRun.open({
    script: (request) => {
      const task = taskOf(request);
      return task.who === "research" && resultsOf(task, "found").length === 0
        ? asksFor(named(task, [{ name: "note_gap", arguments: gap }, ...researchCalls(task)]))
        : wellBehaved(request);
    },
  });
  await live.start();
  expect((await foundBy(live)).notes).toContain("Not found: how long it takes (no page gives a time)");
});
