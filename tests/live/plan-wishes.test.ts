// A plan that waits for approval and is made again as a person wishes, by a model that is asked once more.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { approvePlan } from "../../src/operations/change/approve-plan.ts";
import { instructPlanner } from "../../src/operations/change/instruct-planner.ts";
import { forkRun } from "../../src/operations/make/fork-run.ts";
import { runRun } from "../../src/operations/change/run-run.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import type { Plan } from "../../src/run/report/research.ts";
import { asksFor, type Script } from "../models/answers.ts";
import { codeOf } from "../operations/made-run.ts";
import { LiveRun } from "./live-run.ts";
import { named, submits, taskOf, wellBehaved } from "./well-behaved.ts";

setDefaultTimeout(600_000);

const WISH = "Also look at costs.";

/** Plans a part more for each wish. */
const heedsWishes: Script = (request) => {
  const task = taskOf(request);
  const at = task.who === "plan" ? task.user.indexOf("The plan so far, and wishes: ") : -1;
  if (at === -1) return wellBehaved(request);
  const { plan, wishes } = JSON.parse(task.user.slice(task.user.indexOf("{", at))) as { plan: Plan; wishes: string[] };
  const id = `wish-${wishes.length}`;
  const [first] = plan.perspectives;
  const parts = [...plan.parts, { id, text: wishes.at(-1) ?? "" }];
  const perspectives = plan.perspectives.map((one) =>
    one === first ? { ...one, part_ids: [...one.part_ids, id] } : one,
  );
  return asksFor(named(task, [submits({ parts, perspectives })]));
};

async function planned(script: Script = heedsWishes): Promise<LiveRun> {
  const live = await LiveRun.open({ mode: "quick", policies: { approve_plan: true }, script });
  expect((await live.start()).error?.code).toBe("HUMAN_REVIEW_REQUIRED");
  return live;
}

const plansAsked = ({ server }: LiveRun): number =>
  server.requests.filter((request) => taskOf(request).who === "plan").length;

function draft({ runRoot }: LiveRun, number: number): Plan {
  return JSON.parse(readFileSync(join(runRoot, `operator/drafts/plan.${number}.json`), "utf8")) as Plan;
}

describe("a sentence about a plan that waits", () => {
  test("has the planner make it once more, and the new plan waits, too", async () => {
    await using live = await planned();
    const { result, run, error } = await instructPlanner(live.ports, live.runRoot, WISH, {});
    expect([error, result.waits, result.parts]).toEqual([null, true, draft(live, 1).parts.length + 1]);
    expect(run?.manifest.halt).toMatchObject({
      kind: "human_review",
      details: { draft: "operator/drafts/plan.2.json" },
    });
    expect(draft(live, 2).parts.at(-1)).toMatchObject({ id: "wish-1", text: WISH });
    expect(plansAsked(live)).toBe(2);
    // The same line again asks nobody.
    expect((await instructPlanner(live.ports, live.runRoot, WISH, {})).result).toEqual(result);
    expect((await runRun(live.ports, live.runRoot, {}, {})).error?.code).toBe("HUMAN_REVIEW_REQUIRED");
    expect(plansAsked(live)).toBe(2);
    // A further one is about the plan that waits now, and both are on the page.
    expect((await instructPlanner(live.ports, live.runRoot, "Leave out Windows.", {})).result.parts).toBe(
      result.parts + 1,
    );
    expect(draft(live, 3).notes).toEqual([
      `The asker had the plan made again, with the wish: “${WISH}”.`,
      "The asker had the plan made again, with the wish: “Leave out Windows.”.",
    ]);
    expect((await approvePlan(live.ports, live.runRoot, null, {})).result).toMatchObject({ edited: false });
    expect((await runRun(live.ports, live.runRoot, {}, {})).error).toBeNull();
    expect(await codeOf(verifyRun(live.ports, live.runRoot))).toBe("no error");
    expect(live.report()).toContain(`with the wish: “${WISH}”.`);
    expect(await live.isStrict()).toBe(true);
    // A fork takes the last plan over.
    await forkRun(live.ports, live.runRoot, { runsRoot: live.runsRoot, runId: "dr_fork" }, {});
    await runRun(live.ports, join(live.runsRoot, "dr_fork"), {}, {});
    expect(plansAsked(live)).toBe(3);
  });

  test("is not lost when the model fails: the run continues with it", async () => {
    let isDown = true;
    await using live = await planned((request) =>
      isDown && taskOf(request).user.includes("and wishes:")
        ? { kind: "error", status: 400, type: "invalid_request_error", message: "no" }
        : heedsWishes(request),
    );
    const { error, result } = await instructPlanner(live.ports, live.runRoot, WISH, {});
    expect([error?.code, result.waits]).toEqual(["GATE_BLOCKED", undefined]);
    expect(await codeOf(approvePlan(live.ports, live.runRoot, null, {}))).toBe("INVALID_STATE");
    isDown = false;
    expect((await live.resume()).error?.code).toBe("HUMAN_REVIEW_REQUIRED");
    expect(draft(live, 3).parts.at(-1)?.text).toBe(WISH);
    await using whole = await planned();
    await instructPlanner(whole.ports, whole.runRoot, WISH, {});
    for (const one of [live, whole]) {
      await approvePlan(one.ports, one.runRoot, null, {});
      expect((await runRun(one.ports, one.runRoot, {}, {})).error).toBeNull();
    }
    expect(live.report()).toBe(whole.report());
  });

  test("is refused where no plan waits, and where no planner reads it", async () => {
    await using live = await LiveRun.open({ mode: "quick" });
    expect((await live.start()).error).toBeNull();
    expect(await codeOf(instructPlanner(live.ports, live.runRoot, WISH, {}))).toBe("RUN_TERMINAL");
    await using local = await LiveRun.open({ driver: "local", policies: { approve_plan: true } });
    expect((await local.start()).error?.code).toBe("HUMAN_REVIEW_REQUIRED");
    const { revision } = (await local.ports.store.look(local.runRoot)).manifest;
    expect(await codeOf(instructPlanner(local.ports, local.runRoot, WISH, {}))).toBe("INVALID_STATE");
    expect((await local.ports.store.look(local.runRoot)).manifest.revision).toBe(revision);
  });
});
