// Tests of limits for a model: a quote says something, and a reply gets no more than fits.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { asksFor, type Script } from "../models/answers.ts";
import { DOCUMENTS } from "../simulation/run-world.ts";
import { LiveRun } from "./live-run.ts";
import { named, researchCalls, resultsOf, submits, taskOf, wellBehaved } from "./well-behaved.ts";

setDefaultTimeout(600_000);

const LIMITS = { max_perspectives: 2, results_per_query: 4, max_quotes_per_subject: 4 };

describe("a quote", () => {
  test("that says nothing is refused, whatever its statement", async () => {
    const bare = [" ", "e", "\n", "a b.", "2024"];
    await using live = await LiveRun.open({
      script: (request) => {
        const task = taskOf(request);
        if (task.who !== "research" || resultsOf(task, "opened").length === 0) return wellBehaved(request);
        const [first] = researchCalls(task);
        const hasTried = task.messages.some(({ content }) => content.includes("too short to say anything"));
        if (hasTried || first?.name !== "quote") return wellBehaved(request);
        const calls = bare.map((text) => ({ ...first, arguments: { ...(first.arguments as object), text } }));
        return asksFor(named(task, calls));
      },
      limits: LIMITS,
    });
    expect((await live.start()).error).toBeNull();
    const refused = (await live.histories())
      .flat()
      .filter(({ role, content }) => role === "tool" && content.includes("too short to say anything"));
    expect(refused.length).toBeGreaterThanOrEqual(bare.length);
  });
});

describe("a reply that asks for more than fits", () => {
  test("gets what fits, and is told to ask for the rest separately", async () => {
    const ports = [
      "Aden",
      "Bergen",
      "Cork",
      "Dakar",
      "Esbjerg",
      "Fiume",
      "Genoa",
      "Hull",
      "Izmir",
      "Jaffa",
      "Kiel",
      "Lagos",
    ];
    const ballast = (index: number): string =>
      `# Ballast ${index}\n\n${`The ballast of ship ${index} is weighed by number in ${ports[index % ports.length]}. `.repeat(15)}\n`;
    const documents = new Map(DOCUMENTS);
    for (let index = 0; index < 144; index++) documents.set(`ballast-${index}.md`, ballast(index));
    await using live = await LiveRun.open({
      documents,
      script: (request) => {
        const task = taskOf(request);
        if (task.who !== "research" || !task.user.includes("Your angle: What speaks against it"))
          return wellBehaved(request);
        if (task.messages.some(({ role }) => role === "tool"))
          return asksFor(named(task, [submits({ notes: ["that is enough"] })]));
        const searches = ports.map((port) => ({ name: "search", arguments: { query: `ballast weighed ${port}` } }));
        return asksFor(named(task, searches));
      },
      limits: { ...LIMITS, results_per_query: 20 },
    });
    const model = { provider: "compatible" as const, name: "scripted", base_url: live.server.baseUrl };
    live.options.models = { default: model, context_tokens: 24_000, max_output_tokens: 1_000 };
    const { error } = await live.start();
    expect(error).toBeNull();
    const answers = (await live.histories()).flat().filter(({ role }) => role === "tool");
    expect(answers.filter(({ content }) => content.includes("as much as fits")).length).toBeGreaterThan(0);
    expect(answers.filter(({ content }) => content.startsWith('{"found"')).length).toBeGreaterThan(1);
  });
});

describe("a model that never stops searching", () => {
  /** Twelve, and four for each quote. */
  const ALLOWED = 12 + 4 * LIMITS.max_quotes_per_subject;

  /** Searches and opens five things in every turn; `heeds` ends that once it is told that there are no more. */
  function restless(heeds: boolean): Script {
    return (request) => {
      const task = taskOf(request);
      if (task.who !== "research") return wellBehaved(request);
      const isTold = task.messages.some(({ content }) => content.includes("No more searches and openings"));
      if (isTold && heeds) return asksFor(named(task, [submits({ notes: ["nothing was good enough"] })]));
      const turn = task.messages.length;
      const more = [1, 2, 3, 4].map((nth) => ({ name: "search", arguments: { query: `options ${turn} ${nth}` } }));
      return asksFor(named(task, [...more, { name: "open", arguments: { document: "d1" } }]));
    };
  }

  async function looksOf(live: LiveRun): Promise<number[]> {
    const done = (await live.dataOf("tool.completed")).filter(
      ({ name, outcome }) => (name === "search" || name === "open") && outcome === "done",
    );
    return [...Map.groupBy(done, ({ key }) => key).values()].map(({ length }) => length);
  }

  test("is told of the limit, and its step fails when it goes on", async () => {
    await using live = await LiveRun.open({ script: restless(false), limits: LIMITS });
    const { error } = await live.start();
    expect(error?.code).toBe("GATE_BLOCKED");
    expect(JSON.stringify(error?.facts)).toContain("No more searches and openings in this step");
    const looks = await looksOf(live);
    expect(Math.max(...looks)).toBe(ALLOWED);
    const failed = await live.dataOf("step.failed");
    expect(failed).toHaveLength(2);
    expect(failed[0]?.error.lesson?.text).toMatch(/3 times in a row .* No more searches and openings/);
  });

  test("control: goes on when it stops then, after as many searches as allowed", async () => {
    await using live = await LiveRun.open({ script: restless(true), limits: LIMITS });
    expect((await live.start()).error?.code).toBe("NO_EVIDENCE");
    expect(await looksOf(live)).toEqual([ALLOWED, ALLOWED]);
    expect(await live.dataOf("step.failed")).toEqual([]);
  });

  test("notes gaps only up to a limit", async () => {
    await using live = await LiveRun.open({
      script: (request) => {
        const task = taskOf(request);
        if (task.who !== "research" || resultsOf(task, "noted").length > 0) return wellBehaved(request);
        const gaps = Array.from({ length: 30 }, (_, nth) => ({
          name: "note_gap",
          arguments: { text: `gap ${nth}`, reason: "it is not there" },
        }));
        return asksFor(named(task, gaps));
      },
      limits: LIMITS,
    });
    expect((await live.start()).error).toBeNull();
    const noted = (await live.dataOf("tool.completed")).filter(({ name }) => name === "note_gap");
    expect(noted.filter(({ outcome }) => outcome === "done").length % 20).toBe(0);
    expect(noted.some(({ outcome }) => outcome === "failed")).toBe(true);
  });
});
