// What a fork keeps of its run's settings, and what goes with another driver.
import { expect, test } from "bun:test";
import { DEFAULT_MODEL_SETTINGS } from "../../src/run/settings.ts";
import { QUESTION } from "../simulation/run-world.ts";
import { answerIn, FEW, LivePlace } from "./live-place.ts";

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

test("what the workspace had evidence come from is kept", async () => {
  await using place = await LivePlace.open();
  place.user({ providers: { web: { searxng_url: "http://127.0.0.1:9" } }, allowed_hosts: ["127.0.0.1"] });
  place.workspace({ providers: ["web", "filesystem"] });
  await place.run(["init", QUESTION, "--corpus", "docs", ...FEW]);
  const { providers } = await settingsOf(place, place.runRoot);
  expect(providers).toEqual({ run: [], workspace: ["web", "filesystem"] });
  place.workspace({});
  expect((await forked(place)).providers).toEqual(providers);
});
