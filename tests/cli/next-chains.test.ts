// The first command that a halted run prints is run as printed: it leads to the end, and never back to the halt.
import { expect, setDefaultTimeout, test } from "bun:test";
import { haltForBug } from "../../src/orchestrator/bug-halt.ts";
import { withSession } from "../../src/orchestrator/session.ts";
import { judges, named, submits, taskOf, wellBehaved } from "../live/well-behaved.ts";
import { asksFor, OUT_OF_QUOTA, type Script } from "../models/answers.ts";
import { testPorts, TO_RUNNING } from "../operations/made-run.ts";
import { QUESTION } from "../simulation/run-world.ts";
import { answerIn, LivePlace } from "./live-place.ts";

// Whole runs, on a machine that may be busy.
setDefaultTimeout(60_000);

async function nextOf(place: LivePlace): Promise<string> {
  const { result } = answerIn(await place.run(["status", place.runRoot, "--json"]));
  return (result as { next_commands: string[] }).next_commands[0] ?? "";
}

/** The verbs and flags of the chain, from the halt to what ends it. */
async function chainFrom(place: LivePlace): Promise<string[]> {
  const chain: string[] = [];
  while (chain.length < 3) {
    const command = await nextOf(place);
    chain.push(command.replace("deep-research ", "").replace(` ${place.runRoot}`, ""));
    const { code, stderr } = await place.runPrinted(command);
    expect([code, stderr.includes("error")]).toEqual([0, false]);
    if (chain.at(-1) === "report show") break;
  }
  return chain;
}

test("quota, once the account is in order", async () => {
  let isUsedUp = true;
  const script: Script = (request) => (isUsedUp ? OUT_OF_QUOTA : wellBehaved(request));
  await using place = await LivePlace.open(script);
  expect((await place.start()).code).toBe(4);
  isUsedUp = false;
  expect(await chainFrom(place)).toEqual(["resume", "report show"]);
});

test("a bug, once it is gone", async () => {
  await using place = await LivePlace.open();
  const made = await place.run(["init", QUESTION, "--corpus", "docs", "--run-id", "dr_live", "--mode", "quick"]);
  expect(made.code).toBe(0);
  const ports = testPorts();
  await withSession(ports, place.runRoot, { reason: "test", observer: {} }, async (session) => {
    await session.writer.commit([TO_RUNNING]);
    await haltForBug(session, new TypeError("nothing is a function"));
  });
  expect(await chainFrom(place)).toEqual(["resume", "report show"]);
});

const TOO_MUCH = " And nothing else does.";

/** Writes more than its quotes say in the first claim, for ever; the verifier contradicts. */
const bold: Script = (request) => {
  const task = taskOf(request);
  if (task.who === "verify") return judges(request, "contradicted", ({ statement }) => statement.endsWith(TOO_MUCH));
  if (task.who !== "draft") return wellBehaved(request);
  const { citations } = JSON.parse(task.user) as { citations: { citation_id: string; statement: string }[] };
  const claims = citations.map(({ citation_id, statement }, index) => ({
    text: index === 0 ? statement + TOO_MUCH : statement,
    citation_ids: [citation_id],
  }));
  return asksFor(named(task, [submits({ sections: [{ title: "Answer", claims }], gaps: [] })]));
};

test("a gate that is blocked by the share of unsupported claims", async () => {
  await using place = await LivePlace.open(bold);
  expect((await place.start(["--max-unsupported-share", "0"])).code).toBe(3);
  const [first, ...rest] = await chainFrom(place);
  expect(first).toMatch(/^resume --max-unsupported-share 0\.\d+$/);
  expect(rest).toEqual(["report show"]);
});

test("a gate that is blocked by the number of drafts", async () => {
  const script: Script = (request) => {
    const task = taskOf(request);
    if (task.who !== "review" || place.server.requests.filter((one) => taskOf(one).who === "review").length > 1)
      return wellBehaved(request);
    const directives = [{ kind: "other", target: "Answer", detail: "say it better" }];
    return asksFor(named(task, [submits({ decision: "revise", directives })]));
  };
  await using place = await LivePlace.open(script);
  expect((await place.start(["--max-rounds", "1"])).code).toBe(3);
  expect(await chainFrom(place)).toEqual(["resume --max-rounds 3", "report show"]);
});
