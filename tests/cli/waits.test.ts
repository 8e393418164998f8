// While calls of models wait, whoever watches is told: a line on stderr, a count in the live line, an event of --jsonl.
import { expect, setDefaultTimeout, test } from "bun:test";
import { ProgressView } from "../../src/cli/terminal/progress-view.ts";
import { rateLimited, SERVER_ERROR, type Answer, type SeenRequest } from "../models/answers.ts";
import { wellBehaved } from "../live/well-behaved.ts";
import { QUESTION } from "../simulation/run-world.ts";
import type { Told } from "./fake-host.ts";
import { FEW, LivePlace } from "./live-place.ts";

// Runs, on a machine that may be busy.
setDefaultTimeout(600_000);

/** The first request is answered otherwise. */
function firstOf(answer: Answer): (request: SeenRequest) => Answer {
  return (request) => (request.number === 1 ? answer : wellBehaved(request));
}

/** Plans a run, and no more. */
async function plan(place: LivePlace, argv: readonly string[] = []): Promise<Told> {
  await place.run(["init", QUESTION, "--corpus", "docs", ...FEW, ...place.model]);
  const told = await place.run(["run", place.runRoot, "--until", "wave1", ...argv]);
  expect(told.code).toBe(0);
  return told;
}

test("--jsonl has an event of each wait, without seq and digest", async () => {
  await using place = await LivePlace.open(firstOf(rateLimited("0.02")));
  const { stdout } = await plan(place, ["--jsonl"]);
  const events = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(events.filter(({ event }) => event === "wait")).toEqual([
    {
      schema_version: "dr.event.v1",
      event: "wait",
      ts: expect.any(String),
      data: {
        model: "compatible:scripted",
        kind: "rate_limited",
        status: 429,
        reason: "the provider answers 429: Too many requests.",
        asked_ms: 20,
        wait_ms: expect.any(Number),
        until: expect.stringMatching(/^20\d\d-.*Z$/),
      },
    },
  ]);
});

test("stderr says how long, until when and why", async () => {
  await using place = await LivePlace.open(firstOf(SERVER_ERROR));
  const { stderr } = await plan(place);
  expect(stderr).toMatch(
    / {2}waiting \d\.\d s, until 20[\d-]+ [\d:]+ UTC: compatible:scripted: the provider answers 500/,
  );
});

test("control: where nobody waits nothing is said", async () => {
  await using place = await LivePlace.open();
  expect((await plan(place)).stderr).not.toContain("waiting");
});

test("the live lines count down, and say no more of it when the wait is over", () => {
  const view = new ProgressView(0);
  const wait = {
    model: "compatible:small",
    kind: "rate_limited" as const,
    reason: "slower\u001b[2J",
    asked_ms: 40_000,
    wait_ms: 42_000,
    until: "2026-01-01T12:00:42.000Z",
  };
  const line = view.noteWait(wait, 1_000);
  expect(line).toStartWith(
    "  waiting 42 s, until 2026-01-01 12:00:42 UTC, the provider requests 40 s: compatible:small: slower",
  );
  expect(line).not.toContain("\u001b");
  expect(view.lines(1_000, 100, 9).join()).toContain("waits 42 s");
  expect(view.lines(31_000, 100, 9).join()).toContain("waits 12 s");
  expect(view.lines(43_000, 100, 9).join()).not.toContain("waits");
});
