// A fork keeps settings of its run; some go with another driver.
import { expect, setDefaultTimeout, test } from "bun:test";
import type { ForkResult } from "../../src/operations/make/fork-run.ts";
import { DEFAULT_MODEL_SETTINGS, LIMITS_BY_MODE, type Limits } from "../../src/run/settings/settings.ts";
import { QUESTION } from "../simulation/run-world.ts";
import { answerIn, FEW, LivePlace } from "./live-place.ts";

// Whole runs, on a machine that may be busy.
setDefaultTimeout(600_000);

interface Settings {
  timeouts: Record<string, number>;
  providers: unknown;
}

async function settingsOf(place: LivePlace, runRoot: string): Promise<Settings> {
  const { result } = answerIn(await place.run(["inspect", runRoot, "--json"]));
  return (result as { settings: Settings }).settings;
}

async function forked(place: LivePlace, ...flags: string[]): Promise<Settings> {
  const { result } = answerIn(await place.run(["fork", place.runRoot, ...flags, "--json"]));
  return await settingsOf(place, (result as { run_root: string }).run_root);
}

test("time limits are kept, but for a driver that needs others", async () => {
  await using place = await LivePlace.open();
  place.user({ timeouts: { wave1: 77 } });
  await place.run(["init", QUESTION, "--corpus", "docs", ...FEW]);
  expect((await forked(place)).timeouts).toMatchObject({ wave1: 77, perspectives: 600 });
  const { timeouts } = await forked(place, ...place.model);
  for (const seconds of Object.values(timeouts))
    expect(seconds).toBeGreaterThanOrEqual(2 * DEFAULT_MODEL_SETTINGS.call_timeout_s);
});

test("another mode keeps the limits that were named, and says so", async () => {
  await using place = await LivePlace.open();
  await place.run(["init", QUESTION, "--corpus", "docs", ...FEW, "--max-rounds", "4", "--results-per-query", "3"]);
  const fork = async (...flags: string[]) => {
    const named = ["fork", place.runRoot, ...flags];
    const { stdout } = await place.run(named);
    const { kept_limits, run_root } = answerIn(await place.run([...named, "--json"])).result as ForkResult;
    const { limits } = answerIn(await place.run(["inspect", run_root, "--json"])).result as { limits: Limits };
    return { stdout, kept_limits, limits };
  };
  const deep = await fork("--mode", "deep", "--results-per-query", "7");
  expect(deep.limits).toEqual({ ...LIMITS_BY_MODE.deep, max_rounds: 4, results_per_query: 7 });
  expect(deep.kept_limits).toEqual({ max_rounds: 4 });
  expect(deep.stdout).toMatch(/limits kept +max_rounds 4\n/);
  const same = await fork();
  expect(same.limits).toEqual({ ...LIMITS_BY_MODE.quick, max_rounds: 4, results_per_query: 3 });
  expect([same.kept_limits, same.stdout.includes("limits kept")]).toEqual([{}, false]);
});

test("the providers that the workspace named are kept", async () => {
  await using place = await LivePlace.open();
  place.user({ providers: { web: { searxng_url: "http://127.0.0.1:9" } }, allowed_hosts: ["127.0.0.1"] });
  place.workspace({ providers: ["web", "filesystem"] });
  await place.run(["init", QUESTION, "--corpus", "docs", ...FEW]);
  const { providers } = await settingsOf(place, place.runRoot);
  expect(providers).toEqual({ run: [], workspace: ["web", "filesystem"] });
  place.workspace({});
  expect((await forked(place)).providers).toEqual(providers);
});

test("says which of the steps that come along are done again, and does no others again", async () => {
  await using place = await LivePlace.open();
  expect((await place.start()).code).toBe(0);
  const fork = async (id: string, ...flags: string[]) => {
    const named = ["fork", place.runRoot, ...flags];
    const { stdout } = await place.run([...named, "--run-id", `${id}_text`]);
    const { result } = answerIn(await place.run([...named, "--run-id", id, "--json"]));
    const told = result as { run_root: string; offered_steps: number; done_again: number; perhaps_done_again: number };
    const ran = answerIn(await place.run(["run", told.run_root, "--json"])).result as { steps_adopted: number };
    return { stdout, told, adopted: ran.steps_adopted };
  };
  const other = ["--model", "compatible:other", "--model-base-url", place.server.baseUrl];

  const same = await fork("dr_same", "--max-rounds", "4");
  expect(same.told).toMatchObject({ done_again: 0, perhaps_done_again: 0, differs_in: [] });
  expect(same.adopted).toBe(same.told.offered_steps);
  expect(same.stdout).not.toContain("done again");

  const anew = await fork("dr_anew", ...other);
  expect(anew.told).toMatchObject({ done_again: anew.told.offered_steps, differs_in: ["models"] });
  expect(anew.adopted).toBe(0);
  expect(anew.stdout).toContain("all of these steps: made with other models");

  const wider = await fork("dr_wider", "--max-depth", "2");
  expect(wider.told).toMatchObject({
    done_again: 0,
    perhaps_done_again: wider.told.offered_steps,
    differs_in: ["limits"],
  });
  expect(wider.adopted).toBeLessThan(wider.told.offered_steps);
  expect(wider.stdout).toContain("steps affected by other limits");
});

test("of a run that got another model midway, the steps of the model before are done again", async () => {
  await using place = await LivePlace.open();
  await place.run(["init", QUESTION, "--corpus", "docs", ...FEW, ...place.model]);
  await place.run(["run", place.runRoot, "--max-ticks", "2"]);
  const other = ["--model", "compatible:other", "--model-base-url", place.server.baseUrl];
  expect((await place.run(["resume", place.runRoot, ...other])).code).toBe(0);
  const { result } = answerIn(await place.run(["fork", place.runRoot, "--json"]));
  const { offered_steps, done_again } = result as { offered_steps: number; done_again: number };
  expect(done_again).toBeGreaterThan(0);
  expect(done_again).toBeLessThan(offered_steps);
});

test("for whom, how long and on which day a report was asked for is kept; others may be given", async () => {
  await using place = await LivePlace.open();
  const asked = (settings: object) => {
    const { asked_on, audience, length } = settings as Record<string, unknown>;
    return { asked_on, audience, length };
  };
  const wishes = ["--audience", "the board", "--length", "brief"];
  await place.run(["init", QUESTION, "--corpus", "docs", ...FEW, ...place.model, ...wishes]);
  const first = asked(await settingsOf(place, place.runRoot));
  expect(first).toMatchObject({ audience: "the board", length: "brief" });
  expect((await place.run(["inspect", place.runRoot])).stdout).toMatch(/^ {2}audience +the board\n {2}length +brief$/m);
  expect(asked(await forked(place))).toEqual(first);
  const other = await forked(place, "--length", "long", "--audience", "engineers");
  expect(asked(other)).toEqual({ ...first, audience: "engineers", length: "long" });
  const { code, stderr } = await place.run(["init", QUESTION, "--corpus", "docs", "--length", "epic"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("brief, standard or long")]);
});
