// Tests of parts of the question that the planner adds or drops: later stages and the page have the changed parts.
import { expect, setDefaultTimeout, test } from "bun:test";
import { reportSchema } from "../../src/run/report/stored-report.ts";
import { LIMITS_BY_MODE } from "../../src/run/settings/settings.ts";
import { asksFor, type Script } from "../models/answers.ts";
import { LiveRun } from "./live-run.ts";
import { isOfPart, named, submits, taskOf, wellBehaved, type SeenTask } from "./well-behaved.ts";

setDefaultTimeout(600_000);

const ADDED = { id: "values", text: "how the values of options are kept" };

/** The first look adds a part and drops one; each look asks for a search, as long as there may be one. */
const changing: Script = (request) => {
  const task = taskOf(request);
  const { user } = task;
  if (isOfPart(task, ADDED.id))
    return asksFor(named(task, [submits({ verdicts: [{ id: ADDED.id, why: "it asks", verdict: "framing" }] })]));
  if (task.who !== "pivot") return wellBehaved(request);
  const { parts, waves_left } = JSON.parse(user) as { parts: { id: string }[]; waves_left: number };
  const isFirst = parts.every(({ id }) => id !== ADDED.id);
  const gaps = [{ part_id: ADDED.id, missing: "values", queries: [`values ${waves_left}`] }];
  const changes = { add_parts: [ADDED], drop_parts: [{ part_id: "errors", reason: "asked_by_another" }] };
  return asksFor(named(task, [submits({ gaps, ...(isFirst ? changes : {}) })]));
};

async function ended(max_depth: number): Promise<{ live: LiveRun; tasks: SeenTask[] }> {
  const limits = { ...LIMITS_BY_MODE.standard, max_perspectives: 2, results_per_query: 4, max_depth };
  const live = await LiveRun.open({ script: changing, limits });
  expect((await live.start()).error).toBeNull();
  return { live, tasks: live.server.requests.map(taskOf) };
}

test("the writer, the reviewer and the page have the parts as the look left them, and the page tells of it", async () => {
  const { live, tasks } = await ended(2);
  await using _ = live;
  const writer = JSON.parse(tasks.find(({ who }) => who === "outline")?.user ?? "") as { parts: { part_id: string }[] };
  expect(writer.parts.map(({ part_id }) => part_id)).toEqual(["parsing", "values"]);
  const reviewer = JSON.parse(tasks.find(({ who }) => who === "review")?.user ?? "") as { parts: { text: string }[] };
  expect(reviewer.parts.map(({ text }) => text)).toEqual(["how command line options are parsed", ADDED.text]);
  const report = reportSchema.parse(JSON.parse(live.report().split("\n").at(-2) ?? ""));
  expect(report.parts.map(({ text }) => text)).toEqual(["how command line options are parsed", ADDED.text]);
  expect(live.report()).toContain("“how errors in options are reported” (another part asks it as well)");
  expect(tasks.filter(({ who }) => who === "pivot")).toHaveLength(1);
});

test("there are as many waves as the setting says, with a look before each", async () => {
  const { live, tasks } = await ended(4);
  await using _ = live;
  expect(tasks.filter(({ who }) => who === "pivot")).toHaveLength(3);
  const steps = (await live.dataOf("step.completed")).filter(({ stage }) => stage === "wave2").map(({ key }) => key);
  expect(steps).toEqual([
    "wave2:gap-values",
    "verdicts:wave-2",
    "pivot:wave-3",
    "wave2:gap-values-2",
    "verdicts:wave-3",
    "pivot:wave-4",
    "wave2:gap-values-3",
    "verdicts:wave-4",
  ]);
});
