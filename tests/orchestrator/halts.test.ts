// Halts of the research itself: no evidence, a corpus that changed; and a review that is never content, which halts nothing.
import { describe, expect, test } from "bun:test";
import { runRun } from "../../src/operations/change/run-run.ts";
import { showReport } from "../../src/operations/report/read-report.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import { endingOf } from "../simulation/run-world.ts";
import {
  codeOf,
  factsOf,
  look,
  records,
  resume,
  run,
  RUN_ROOT,
  RunWorld,
  start,
  STEP,
  stoppedBy,
  tick,
  type Ending,
} from "./at-work.ts";

const UNRELATED = "# Soup\n\nA good soup needs an onion, a carrot and enough time on a small fire.\n";

describe("a question that the corpus does not answer", () => {
  async function unanswered(): Promise<RunWorld> {
    const world = new RunWorld();
    world.outside.documents = new Map([["soup.md", UNRELATED]]);
    const ending = await start(world);
    expect([codeOf(ending), stoppedBy(ending)]).toEqual(["NO_EVIDENCE", "halted"]);
    expect(factsOf(ending)).toMatchObject({ searched: [{ corpus: "corpus", documents: 1 }], stage: "wave1" });
    return world;
  }

  test("halts with no_evidence, and there is no report", async () => {
    const world = await unanswered();
    const { manifest } = await look(world);
    expect(manifest.execution_state).toBe("running");
    expect(manifest.report_versions).toEqual([]);
    expect(world.world.disk.paths().some((path) => path.includes("/reports"))).toBe(false);
  });

  test("is searched again on resume, and halts again while nothing changed", async () => {
    const world = await unanswered();
    const searches = world.outside.searches;
    expect(codeOf(await tick(world))).toBe("NO_EVIDENCE");
    expect(world.outside.searches).toBe(searches);
    expect(codeOf(await resume(world))).toBe("NO_EVIDENCE");
    expect(world.outside.searches).toBeGreaterThan(searches);
  });

  test("is answered on resume once the corpus has the answer", async () => {
    const world = await unanswered();
    world.outside.documents = new RunWorld().outside.documents;
    expect(codeOf(await resume(world))).toBe("ok");
    expect((await look(world)).manifest.report_versions.length).toBe(1);
  });
});

describe("a corpus that changed since the run was made", () => {
  async function changed(on_drift: "continue" | "refuse" | "fork"): Promise<RunWorld> {
    const world = new RunWorld();
    await start(world, { policies: { on_drift }, untilStage: "pivot" });
    world.outside.documents.set("soup.md", UNRELATED);
    return world;
  }

  test("is accepted under continue: what is done stays done", async () => {
    const world = await changed("continue");
    const performed = world.outside.performances.length;
    expect(codeOf(await run(world))).toBe("ok");
    expect((await records(world)).filter(({ kind }) => kind === "drift.accepted").length).toBe(1);
    expect(world.outside.performances.slice(performed).some(({ key, isAgain }) => isAgain || key === STEP)).toBe(false);
  });

  test("halts under refuse, and goes on when a person accepts it", async () => {
    const world = await changed("refuse");
    const ending = await run(world);
    expect(codeOf(ending)).toBe("SETTINGS_DRIFT");
    expect((await look(world)).manifest.halt?.next_commands[0]).toBe(
      `deep-research resume ${RUN_ROOT} --on-drift continue`,
    );
    expect(codeOf(await tick(world))).toBe("SETTINGS_DRIFT");
    expect(codeOf(await resume(world))).toBe("SETTINGS_DRIFT");
    expect(codeOf(await resume(world, { onDrift: "continue" }))).toBe("ok");
  });

  test("is researched by a new run under resume --on-drift fork", async () => {
    const world = await changed("refuse");
    await run(world);
    const ending = await resume(world, { onDrift: "fork" });
    expect(codeOf(ending)).toBe("ok");
    const forked = ending.kind === "ended" ? ending.outcome.run : null;
    expect(forked).toMatchObject({ state: "completed", manifest: { forked_from: { run_id: "dr_world" } } });
    expect(forked?.runRoot).not.toBe(RUN_ROOT);
    // The plan rests on the documents, too: it is not adopted over others.
    expect(world.outside.timesPerformed("perspectives:plan")).toBe(2);
    expect((await look(world)).manifest.halt).not.toBe(null);
  });

  test("does not matter any more once the evidence is gathered", async () => {
    const world = new RunWorld();
    await start(world, { policies: { on_drift: "refuse" }, untilStage: "summaries" });
    world.outside.documents.set("soup.md", UNRELATED);
    expect(codeOf(await run(world))).toBe("ok");
  });
});

describe("a review that is never content", () => {
  async function discontent(): Promise<RunWorld> {
    const world = new RunWorld();
    world.outside.afterStep = ({ kind }, result) =>
      kind === "review"
        ? {
            ...(result as object),
            decision: "revise",
            directives: [{ kind: "other", target: "report", detail: "more light" }],
          }
        : result;
    return world;
  }

  test("ends after the rounds allowed, and its last wishes are printed with the report", async () => {
    const world = await discontent();
    expect(codeOf(await start(world))).toBe("ok");
    const reviews = world.outside.performances.filter(({ key }) => key.startsWith("review:draft-"));
    expect(reviews.map(({ key }) => key)).toEqual(["review:draft-1", "review:draft-2", "review:draft-3"]);
    const { result } = await showReport(world.process("reader").ports, RUN_ROOT);
    expect(result.report_md).toContain("more light");
    await verifyRun(world.process("verifier").ports, RUN_ROOT);
  });
});

describe("a driver that is another one than the run was made with", () => {
  const goOn = (world: RunWorld): Promise<Ending> => {
    const { ports, observer, signals } = world.process("later", { driverVersion: "another" });
    return endingOf(() => runRun(ports, RUN_ROOT, {}, observer, signals));
  };

  test("is drift: under continue what is done stays done", async () => {
    const world = new RunWorld();
    await start(world, { maxTicks: 2 });
    const before = await records(world);
    const finished = before.flatMap((record) => (record.kind === "step.completed" ? [record.data.key] : []));
    expect(finished.length).toBeGreaterThan(0);
    expect(stoppedBy(await goOn(world))).toBe("completed");
    const later = (await records(world)).slice(before.length);
    expect(later.some(({ kind }) => kind === "drift.accepted")).toBe(true);
    expect(later.filter((record) => record.kind === "step.started" && finished.includes(record.data.key))).toEqual([]);
  });

  test("halts under refuse", async () => {
    const world = new RunWorld();
    await start(world, { maxTicks: 2, policies: { on_drift: "refuse" } });
    expect(codeOf(await goOn(world))).toBe("SETTINGS_DRIFT");
  });
});
